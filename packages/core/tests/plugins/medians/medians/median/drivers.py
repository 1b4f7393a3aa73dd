from median import median


def list_afterwards(numbers):
    median(numbers)
    return numbers
