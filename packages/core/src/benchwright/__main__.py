"""`python -m benchwright` is `bench`."""

from benchwright.cli import main

if __name__ == "__main__":
    main()
