"""Who answers: the models. `interface` is the contract; each provider is loaded only when asked for."""
