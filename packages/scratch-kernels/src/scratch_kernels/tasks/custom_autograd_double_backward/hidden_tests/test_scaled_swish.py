# Benchwright benchmark data, not for training corpora. canary 095d276d-6d74-432c-a3c6-5d97275a7d0e
"""Hidden tests of custom_autograd_double_backward.

Gradients are asked for on this side; the submission's graph answers from the other. The oracle holds the derivatives in
closed form, in numpy and float64. Tolerances are those of the prompt; `benchmarks/kernels_tolerances.py`
prints how far the reference stays below them.
"""

import numpy as np
import pytest
import scaled_swish
import torch

# A call that writes into what it is handed fails, and what is handed over stays on this side as it was.
pytestmark = pytest.mark.inputs_unchanged

TOLERANCE = {"float64": (1e-9, 1e-11), "float32": (1e-4, 1e-5)}


def drawn(*shape, scale=1.0, seed=0):
    return np.array(np.random.default_rng([43, seed, *shape]).normal(size=shape) * scale)


def close(got, want, dtype="float64"):
    rtol, atol = TOLERANCE[dtype]
    got = got.detach().numpy() if isinstance(got, torch.Tensor) else got
    np.testing.assert_allclose(got, want, rtol=rtol, atol=atol)


def sigmoid(t):
    e = np.exp(-np.abs(t))
    return np.where(t >= 0, 1.0, e) / (1.0 + e)


def parts(x, alpha):
    """s = sigmoid(alpha x) and its first two derivatives in x."""
    s, r = sigmoid(alpha * x), sigmoid(-alpha * x)
    return s, alpha * s * r, alpha**2 * s * r * (r - s)


def value(x, w, alpha):
    return w * x * parts(x, alpha)[0]


def in_x(x, w, alpha):
    s, s1, _ = parts(x, alpha)
    return w * (s + x * s1)


def in_w(x, w, alpha):
    return x * parts(x, alpha)[0] + 0.0 * w


def in_xx(x, w, alpha):
    _, s1, s2 = parts(x, alpha)
    return w * (2 * s1 + x * s2)


def in_xw(x, w, alpha):
    s, s1, _ = parts(x, alpha)
    return s + x * s1 + 0.0 * w


def summed_to(a, shape):
    a = a.sum(axis=tuple(range(a.ndim - len(shape))))
    return a.sum(axis=tuple(i for i, n in enumerate(shape) if n == 1 and a.shape[i] != 1), keepdims=True)


SHAPES = {
    "same": ((3, 4), (3, 4)),
    "weight_for_each_column": ((3, 4), (4,)),
    "weight_for_each_row": ((3, 4), (3, 1)),
    "one_weight": ((3, 4), ()),
    "one_x": ((), (3, 4)),
    "weight_with_more_dimensions": ((4,), (2, 3, 4)),
    "both_broadcast": ((3, 1), (1, 4)),
    "inner_dimension": ((2, 1, 3), (2, 4, 1)),
}


def case(name, seed=0, dtype="float64", scale=1.0):
    """(x, w, g) as arrays: inputs of the shapes of `name` and a gradient of the result's shape."""
    sx, sw = SHAPES[name]
    arrays = drawn(*sx, scale=scale, seed=seed), drawn(*sw, seed=seed + 1), drawn(*np.broadcast_shapes(sx, sw), seed=seed + 2)
    return tuple(a.astype(dtype) for a in arrays)


def leaf(a, wants=True):
    return torch.from_numpy(np.array(a)).requires_grad_(wants)


def first(x, w, alpha, g):
    """(result, gradient of x, gradient of w), each with a graph, and the leaves x, w, g."""
    leaves = leaf(x), leaf(w), leaf(g)
    y = scaled_swish.scaled_swish(leaves[0], leaves[1], alpha)
    gx, gw = torch.autograd.grad(y, leaves[:2], leaves[2], create_graph=True)
    return y, gx, gw, leaves


def second(of, leaves, u):
    """Gradients of <u, of> with respect to x, w and g; zeros where there is none."""
    found = torch.autograd.grad(of, leaves, leaf(u, False), allow_unused=True, create_graph=True)
    return [torch.zeros_like(t) if f is None else f for f, t in zip(found, leaves)]


WANTS = {"x_alone": "x", "w_alone": "w", "both": "xw"}
LAYOUTS = ["plain", "transposed", "every_second", "expanded_gradient", "transposed_gradient"]
# What is changed, which inputs ask for a gradient, and whether the inputs lie in memory column by column.
IN_PLACE = {
    "x_for_both": ("x", "xw", False),
    "x_for_w": ("x", "w", False),
    "w_for_both": ("w", "xw", False),
    "w_for_x": ("w", "x", False),
    "strided_x_for_both": ("x", "xw", True),
    "strided_w_for_x": ("w", "x", True),
}


def inputs(name, seed, *, gradient=True, **more):
    x, w, g = case(name, seed)
    return {"x": x, "w": w, "alpha": 1.5, **({"g": g} if gradient else {}), **more}


CASES = {
    "strided": {layout: inputs("weight_for_each_column", 6, layout=layout) for layout in LAYOUTS},
    "entries": {
        **{name: inputs("weight_for_each_column", 12, wants=wants) for name, wants in WANTS.items()},
        **{name: inputs(name, 17, wants="xw") for name in ("weight_for_each_row", "one_weight", "one_x", "both_broadcast")},
    },
    "asked_of_the_framework": {name: inputs(name, 16) for name in ("same", "one_weight")},
    "graph": {
        **{name: inputs(name, 40, gradient=False, wants="xw") for name in ("same", "weight_for_each_column", "both_broadcast")},
        **{name: inputs("weight_for_each_column", 41, gradient=False, wants=wants) for name, wants in WANTS.items()},
    },
    "changed_in_place": {
        name: inputs("same", 42, gradient=False, which=which, wants=wants, columns=columns)
        for name, (which, wants, columns) in IN_PLACE.items()
    },
}
_driven = {}


def driven(submission, function, name):
    """(inputs, result) of a case; all cases of a driver are made together, the first time one is asked for."""
    if function not in _driven:
        cases = CASES[function]
        try:
            results = submission.drive("each", called=function, cases=list(cases.values()))
        except submission.SubmissionError as error:
            results = [error] * len(cases)
        _driven[function] = dict(zip(cases, results))
    got = _driven[function][name]
    if isinstance(got, Exception):
        raise got
    return CASES[function][name], got


# Values


@pytest.mark.parametrize("name", SHAPES)
def test_the_value_for_every_way_of_broadcasting(name):
    """[P2]"""
    x, w, _ = case(name)
    y = scaled_swish.scaled_swish(leaf(x), leaf(w), 1.5)
    assert y.shape == np.broadcast_shapes(x.shape, w.shape)
    close(y, value(x, w, 1.5))


@pytest.mark.parametrize("dtype", TOLERANCE)
def test_the_result_has_the_dtype_of_its_inputs(dtype):
    """[P2]"""
    x, w, g = case("weight_for_each_column", dtype=dtype)
    y, gx, gw, _ = first(x, w, 2.0, g)
    assert str(y.dtype) == str(gx.dtype) == str(gw.dtype) == f"torch.{dtype}"
    close(y, value(*(a.astype(np.float64) for a in (x, w)), 2.0), dtype)


ALPHAS = {"one": 1, "zero": 0, "minus_two": -2, "a_half": 0.5, "seven": 7.0, "a_tenth": 0.1}


@pytest.mark.parametrize("name", ALPHAS)
def test_alpha_may_be_any_number(name):
    """[P3]"""
    x, w, g = case("same", seed=3)
    y, gx, gw, _ = first(x, w, ALPHAS[name], g)
    close(y, value(x, w, ALPHAS[name]))
    close(gx, g * in_x(x, w, ALPHAS[name]))
    close(gw, g * in_w(x, w, ALPHAS[name]))


@pytest.mark.parametrize("order", ["value", "first", "second"])
@pytest.mark.parametrize("dtype", TOLERANCE)
def test_saturation_is_no_error(order, dtype):
    """[P4]"""
    x = np.array([-2000.0, -90.0, -30.0, 0.0, 30.0, 90.0, 2000.0], dtype=dtype)
    w, g, u = np.full(7, 2.0, dtype=dtype), np.ones(7, dtype=dtype), np.full(7, 3.0, dtype=dtype)
    y, gx, gw, leaves = first(x, w, 1.0, g)
    wide = x.astype(np.float64)
    if order == "value":
        close(y, value(wide, 2.0, 1.0), dtype)
    elif order == "first":
        close(gx, in_x(wide, 2.0, 1.0), dtype)
        close(gw, in_w(wide, 2.0, 1.0), dtype)
    else:
        xx, xw, xg = second(gx, leaves, u)
        close(xx, 3.0 * in_xx(wide, 2.0, 1.0), dtype)
        close(xw, 3.0 * in_xw(wide, 2.0, 1.0), dtype)
        close(xg, 3.0 * in_x(wide, 2.0, 1.0), dtype)


def test_the_inputs_are_left_as_they_were(submission):
    """[P5]"""
    x, w, g = case("weight_for_each_row", seed=4)
    # The mark of this file is what looks at them; at the incoming gradient it can look only where backward runs.
    submission.drive("all_passes", x=x, w=w, alpha=1.5, g=g)


@pytest.mark.parametrize("layout", ["plain", "transposed", "every_second"])
def test_inputs_may_be_strided_in_any_way(submission, layout):
    """[P5]"""
    given, (y, gx, gw) = driven(submission, "strided", layout)
    x, w, g = given["x"], given["w"], given["g"]
    close(y, value(x, w, 1.5))
    close(gx, g * in_x(x, w, 1.5))
    close(gw, summed_to(g * in_w(x, w, 1.5), w.shape))


# First derivatives


@pytest.mark.parametrize("name", SHAPES)
def test_the_gradient_of_x_for_every_way_of_broadcasting(name):
    """[P6]"""
    x, w, g = case(name, seed=10)
    _, gx, _, _ = first(x, w, 1.5, g)
    assert gx.shape == x.shape
    close(gx, summed_to(g * in_x(x, w, 1.5), x.shape))


@pytest.mark.parametrize("name", SHAPES)
def test_the_gradient_of_w_for_every_way_of_broadcasting(name):
    """[P6]"""
    x, w, g = case(name, seed=11)
    _, _, gw, _ = first(x, w, 1.5, g)
    assert gw.shape == w.shape
    close(gw, summed_to(g * in_w(x, w, 1.5), w.shape))


@pytest.mark.parametrize("name", WANTS)
def test_backward_gives_what_was_asked_for_and_none_else(submission, name):
    """[P3] [P7]"""
    given, got = driven(submission, "entries", name)
    x, w, g = given["x"], given["w"], given["g"]
    assert type(got) is list
    assert len(got) == 3
    assert got[2] is None
    for which, entry, want in zip("xw", got, (g * in_x(x, w, 1.5), summed_to(g * in_w(x, w, 1.5), w.shape))):
        if which in WANTS[name]:
            close(entry, want)
        else:
            assert entry is None


@pytest.mark.parametrize("name", ["weight_for_each_row", "one_weight", "one_x", "both_broadcast"])
def test_backward_itself_gives_the_shapes_of_the_inputs(submission, name):
    """[P6]"""
    given, (gx, gw, _) = driven(submission, "entries", name)
    x, w, g = given["x"], given["w"], given["g"]
    assert gx.shape == x.shape
    assert gw.shape == w.shape
    close(gx, summed_to(g * in_x(x, w, 1.5), x.shape))
    close(gw, summed_to(g * in_w(x, w, 1.5), w.shape))


@pytest.mark.parametrize("name", WANTS)
def test_gradients_arrive_only_where_they_are_wanted(name):
    """[P7]"""
    x, w, _ = case("weight_for_each_row", seed=13)
    tx, tw = leaf(x, "x" in WANTS[name]), leaf(w, "w" in WANTS[name])
    scaled_swish.scaled_swish(tx, tw, 1.5).sum().backward()
    for which, tensor, want in zip("xw", (tx, tw), (in_x(x, w, 1.5), in_w(x, w, 1.5))):
        if which in WANTS[name]:
            close(tensor.grad, summed_to(want, tensor.shape))
        else:
            assert tensor.grad is None


def test_nothing_wants_a_gradient():
    """[P7]"""
    x, w, _ = case("same", seed=14)
    y = scaled_swish.scaled_swish(leaf(x, False), leaf(w, False), 1.5)
    assert not y.requires_grad
    close(y, value(x, w, 1.5))


@pytest.mark.parametrize("layout", ["expanded_gradient", "transposed_gradient"])
def test_the_incoming_gradient_may_be_strided_in_any_way(submission, layout):
    """[P8]"""
    given, (_, gx, gw) = driven(submission, "strided", layout)
    x, w, g = given["x"], given["w"], given["g"]
    if layout == "expanded_gradient":
        g = np.broadcast_to(g[:1, :1], g.shape)
    close(gx, g * in_x(x, w, 1.5))
    close(gw, summed_to(g * in_w(x, w, 1.5), w.shape))


@pytest.mark.parametrize("name", ["same", "one_weight"])
def test_the_framework_is_not_asked_to_differentiate(submission, name):
    """[P9]"""
    given, (asked, gx, gw) = driven(submission, "asked_of_the_framework", name)
    x, w, g = given["x"], given["w"], given["g"]
    assert [how for how in asked if how != "make_dual"] == []
    close(gx, g * in_x(x, w, 1.5))
    close(gw, summed_to(g * in_w(x, w, 1.5), w.shape))


@pytest.mark.parametrize("name", ["same", "one_weight"])
def test_no_derivative_is_taken_in_forward_mode(submission, name):
    """[P9]"""
    _, (asked, _, _) = driven(submission, "asked_of_the_framework", name)
    assert asked.count("make_dual") == 0


# Second derivatives


@pytest.mark.parametrize("name", SHAPES)
def test_the_gradient_of_x_is_differentiated_in_x(name):
    """[P10]"""
    x, w, g = case(name, seed=20)
    _, gx, _, leaves = first(x, w, 1.5, g)
    u = drawn(*x.shape, seed=21)
    close(second(gx, leaves, u)[0], summed_to(u * g * in_xx(x, w, 1.5), x.shape))


@pytest.mark.parametrize("name", SHAPES)
def test_the_gradient_of_x_is_differentiated_in_w(name):
    """[P10]"""
    x, w, g = case(name, seed=22)
    _, gx, _, leaves = first(x, w, 1.5, g)
    u = drawn(*x.shape, seed=23)
    close(second(gx, leaves, u)[1], summed_to(u * g * in_xw(x, w, 1.5), w.shape))


@pytest.mark.parametrize("name", SHAPES)
def test_the_gradient_of_w_is_differentiated_in_x(name):
    """[P10]"""
    x, w, g = case(name, seed=24)
    _, _, gw, leaves = first(x, w, 1.5, g)
    u = drawn(*w.shape, seed=25)
    close(second(gw, leaves, u)[0], summed_to(u * g * in_xw(x, w, 1.5), x.shape))


@pytest.mark.parametrize("name", SHAPES)
def test_both_gradients_are_differentiated_in_the_incoming_one(name):
    """[P10]"""
    x, w, g = case(name, seed=26)
    _, gx, gw, leaves = first(x, w, 1.5, g)
    u, v = drawn(*x.shape, seed=27), drawn(*w.shape, seed=28)
    close(second(gx, leaves, u)[2], u * in_x(x, w, 1.5))
    close(second(gw, leaves, v)[2], v * in_w(x, w, 1.5))


def test_the_gradient_of_w_does_not_depend_on_w():
    """[P10]"""
    x, w, g = case("weight_for_each_column", seed=29)
    _, _, gw, leaves = first(x, w, 1.5, g)
    close(second(gw, leaves, drawn(*w.shape, seed=30))[1], np.zeros(w.shape))


@pytest.mark.parametrize("name", ALPHAS)
def test_second_derivatives_follow_alpha(name):
    """[P3] [P10]"""
    x, w, g = case("same", seed=31)
    alpha = ALPHAS[name]
    _, gx, gw, leaves = first(x, w, alpha, g)
    u = drawn(*x.shape, seed=32)
    close(second(gx, leaves, u)[0], u * g * in_xx(x, w, alpha))
    close(second(gw, leaves, u)[0], u * g * in_xw(x, w, alpha))


@pytest.mark.parametrize("which", ["x", "w"])
def test_second_derivatives_where_one_input_wants_them(which):
    """[P7] [P10]"""
    x, w, g = case("same", seed=33)
    tx, tw = leaf(x, which == "x"), leaf(w, which == "w")
    y = scaled_swish.scaled_swish(tx, tw, 1.5)
    tg = leaf(g)
    wanted = tx if which == "x" else tw
    (gradient,) = torch.autograd.grad(y, wanted, tg, create_graph=True)
    found = torch.autograd.grad(gradient.sum(), (wanted, tg), allow_unused=True)
    if which == "x":
        close(found[0], g * in_xx(x, w, 1.5))
        close(found[1], in_x(x, w, 1.5))
    else:
        assert found[0] is None or (found[0] == 0).all()
        close(found[1], in_w(x, w, 1.5))


def test_second_derivatives_in_float32():
    """[P2] [P10]"""
    x, w, g = case("weight_for_each_column", seed=34, dtype="float32")
    _, gx, _, leaves = first(x, w, 1.5, g)
    found = second(gx, leaves, np.ones(x.shape, dtype=np.float32))
    wide = [a.astype(np.float64) for a in (x, w, g)]
    close(found[0], wide[2] * in_xx(*wide[:2], 1.5), "float32")
    close(found[1], summed_to(wide[2] * in_xw(*wide[:2], 1.5), w.shape), "float32")


def test_a_gradient_penalty_as_training_uses_it():
    """[P10]"""
    x, w, _ = case("weight_for_each_column", seed=35)
    tx, tw = leaf(x), leaf(w)
    (gx,) = torch.autograd.grad(scaled_swish.scaled_swish(tx, tw, 1.5).sum(), tx, create_graph=True)
    ((gx**2).sum() / 2).backward()
    close(tx.grad, in_x(x, w, 1.5) * in_xx(x, w, 1.5))
    close(tw.grad, summed_to(in_x(x, w, 1.5) * in_xw(x, w, 1.5), w.shape))


@pytest.mark.parametrize("name", ["one", "minus_two", "a_half"])
def test_a_third_derivative(name):
    """[P11]"""
    x, w, g = case("same", seed=36)
    alpha = ALPHAS[name]
    _, gx, _, leaves = first(x, w, alpha, g)
    (gxx,) = torch.autograd.grad(gx.sum(), leaves[0], create_graph=True)
    (gxxx,) = torch.autograd.grad(gxx.sum(), leaves[0])
    s, r = sigmoid(alpha * x), sigmoid(-alpha * x)
    s1, s2 = alpha * s * r, alpha**2 * s * r * (r - s)
    s3 = alpha**3 * s * r * ((r - s) ** 2 - 2 * s * r)
    close(gxxx, g * w * (3 * s2 + x * s3))


# The graph, and what is kept in it


@pytest.mark.parametrize("name", ["same", "weight_for_each_column", "both_broadcast"])
def test_the_result_is_one_node_away_from_its_inputs(submission, name):
    """[P1]"""
    _, seen = driven(submission, "graph", name)
    assert type(seen) is dict, seen
    assert seen["node"] == "ScaledSwishBackward"
    assert seen["is_own"] is True
    assert [n for n in seen["behind"] if n is not None] == ["AccumulateGrad", "AccumulateGrad"]


@pytest.mark.parametrize("name", WANTS)
def test_no_more_than_the_two_inputs_is_kept(submission, name):
    """[P12]"""
    given, seen = driven(submission, "graph", name)
    assert type(seen) is dict, seen
    assert sum(seen["kept"]) <= given["x"].nbytes + given["w"].nbytes
    assert seen["held"] == []


@pytest.mark.parametrize("name", IN_PLACE)
def test_a_change_in_place_is_noticed(submission, name):
    """[P13]"""
    _, said = driven(submission, "changed_in_place", name)
    assert said.startswith("raised")
