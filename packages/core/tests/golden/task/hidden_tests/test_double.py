# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
def test_two(subject):
    assert subject.double(1) == 2
