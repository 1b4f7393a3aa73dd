def median(numbers):
    raise NotImplementedError
