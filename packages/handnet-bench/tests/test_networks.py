"""The reference networks do what they say, exactly where they can, and torch agrees."""

import importlib
from pathlib import Path

import numpy as np
import pytest
from handnet_bench import datasets, sequences

MOST_NONZERO = {"addition": 405, "dyck1": 26, "induction": 278}
NAMES = ["addition", "dyck1", "induction", "mnist", "sentiment"]


def network(name):
    return importlib.import_module(f"handnet_bench.networks.{name}")


def counts(name):
    arrays = [np.asarray(w) for w in network(name).WEIGHTS.values()]
    return sum(a.size for a in arrays), sum(int(np.count_nonzero(a)) for a in arrays)


@pytest.mark.parametrize("name", list(MOST_NONZERO))
def test_the_algorithmic_networks_are_exact_on_the_test_set_within_their_weights(name):
    test = datasets.load(name, "test", Path())
    assert network(name).predict(test.inputs) == list(test.labels)
    assert counts(name)[1] <= MOST_NONZERO[name]


@pytest.mark.parametrize("name", NAMES)
def test_every_network_keeps_the_budget_and_one_file(name):
    assert counts(name)[0] <= 100_000
    text = Path(network(name).__file__).read_text()
    assert "handnet_bench" not in text
    assert name == network(name).TASK


def test_addition_carries_through_ten_nines_and_back():
    pairs = [
        (9_999_999_999, 1),
        (1, 9_999_999_999),
        (9_999_999_999, 9_999_999_999),
        (0, 0),
        (5, 5),
        (4_999_999_999, 5_000_000_000),
    ]
    assert network("addition").predict(pairs) == [a + b for a, b in pairs]


def test_addition_is_exact_for_every_pair_of_two_digits_and_for_fresh_seeds():
    pairs = [(a, b) for a in range(100) for b in range(100)]
    assert network("addition").predict(pairs) == [a + b for a, b in pairs]
    fresh, sums = sequences.addition(987654321, 500)
    assert network("addition").predict(fresh) == sums


def test_dyck1_is_exact_for_every_string_of_up_to_ten_brackets():
    strings = ["".join("()"[n >> i & 1] for i in range(length)) for length in range(1, 11) for n in range(2**length)]
    assert network("dyck1").predict(strings) == [int(sequences.is_balanced(s)) for s in strings]


def test_dyck1_sees_one_bracket_below_the_ground_in_sixty_four():
    deep = "(" * 31 + ")" * 31
    assert network("dyck1").predict([deep + "()", deep + ")(", ")(" + deep, "(" * 32 + ")" * 32]) == [1, 0, 0, 1]


def test_induction_finds_the_token_at_every_place_and_every_length():
    rows, answers = [], []
    for length in range(3, 49):
        for at in range(length - 2):
            row = [(k % 31) + 1 for k in range(length)]
            row[at] = row[-1] = 0
            rows.append(row)
            answers.append(row[at + 1])
    assert network("induction").predict(rows) == answers


def test_mnist_reads_a_drawn_bar_as_one_and_a_ring_as_zero():
    bar, ring = np.zeros((28, 28), np.float32), np.zeros((28, 28), np.float32)
    bar[5:23, 13:15] = 1
    y, x = np.mgrid[:28, :28] - 13.5
    ring[np.abs(np.hypot(x, y * 0.8) - 7) < 1.2] = 1
    assert network("mnist").predict(np.stack([bar, ring])) == [1, 0]


def test_mnist_does_not_care_for_a_shear():
    images, _ = datasets.training_images(200)
    sheared = np.stack([np.stack([np.roll(row, (r - 14) // 5) for r, row in enumerate(image)]) for image in images])
    same = np.mean(np.array(network("mnist").predict(sheared)) == np.array(network("mnist").predict(images)))
    assert same > 0.9


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("a masterpiece of wit and charm .", 1),
        ("not a bad film at all .", 1),
        ("a dull , lifeless mess .", 0),
        ("it is not funny .", 0),
        ("the plot is silly , but the acting is superb and moving .", 1),
        ("handsome and well acted , but tedious and pointless .", 0),
        ("while it is pretty , it is boring .", 0),
        ("it is never boring .", 1),
    ],
)
def test_sentiment_handles_negation_turns_and_concessions(sentence, label):
    assert network("sentiment").predict([sentence.split()]) == [label]


def test_sentiment_reaches_what_is_claimed_on_the_development_sentences(sst2_folder):
    dev = datasets.load("sst2", "development", sst2_folder)
    accuracy = np.mean(np.array(network("sentiment").predict(dev.inputs)) == np.array(dev.labels))
    assert accuracy > 0.8


EXAMPLES = {
    "dyck1": ["(()())", "())(", "((("],
    "induction": [[4, 9, 7, 30, 9], [1, 2, 3, 1]],
    "sentiment": [["a", "dull", ",", "lifeless", "mess", ",", "but", "not", "without", "charm", "."], ["film"]],
}


@pytest.mark.parametrize("name", NAMES)
def test_the_parts_of_an_explanation_sum_to_the_logit(name):
    examples = {**EXAMPLES, "addition": [(95, 7)], "mnist": list(datasets.training_images(4)[0])}[name]
    for example in examples:
        explained = network(name).explain(example)
        for one in explained if isinstance(explained, list) else [explained]:
            assert sum(one["parts"].values()) == pytest.approx(one["logit"], abs=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_torch_gives_the_same_outputs(name):
    torch = pytest.importorskip("torch", reason="torch is not installed: the torch twins are not compared")
    from handnet_bench.networks import torch_modules

    if name == "sentiment":
        inputs = EXAMPLES["sentiment"] + [
            ["neither", "funny", "nor", "moving", ",", "it", "never", "fails", "to", "bore", "."],
            ["very", "good", "."],
        ]
    elif name == "mnist":
        inputs = datasets.training_images(300)[0]
    else:
        inputs = datasets.load(name, "second", Path()).inputs[:200]
    module = torch_modules.load(name)
    assert sum(p.numel() for p in module.state_dict().values()) == counts(name)[0]
    with torch.no_grad():
        out = module(inputs)
    if name == "addition":
        rows = out.argmax(dim=-1)[:, 1:].tolist()
        given = [int("".join(map(str, row[::-1]))) for row in rows]
    elif name in ("dyck1", "sentiment"):
        given = [int(v) for v in out > 0]
    else:
        given = out.argmax(dim=-1).tolist()
    assert given == network(name).predict(inputs)
    if name == "mnist":
        assert np.abs(out.numpy() - network(name).logits(inputs)[0]).max() < 0.01


def test_torch_twins_can_be_trained_on():
    pytest.importorskip("torch", reason="torch is not installed: the torch twins are not compared")
    from handnet_bench.networks import torch_modules

    module = torch_modules.load("dyck1")
    module(["()", "(("]).sum().backward()
    assert module.bias.grad is not None
