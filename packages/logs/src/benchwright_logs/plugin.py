"""The plugin: what `bench` asks of this package."""

API = 1
STATUS = "no content yet"
