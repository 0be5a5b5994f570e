"""What PyTorch makes of a network file: logits, values, every gradient, and the losses of ten training steps.

usage: torch_step.py NETWORK.safetensors BATCH.f32 OUT.f32 COUNT OPTIMISER RATE SQUARES EPSILON L2 CLIP U UNDER OVER ENTROPY
BATCH holds planes, policy targets and value targets of COUNT positions; OUT gets the four results one after the other.
Exit status 77: there is no PyTorch here.
"""
import json
import struct
import sys

try:
    import torch
    import torch.nn.functional as F
except ImportError:
    sys.exit(77)


def read_file(path):
    data = open(path, "rb").read()
    length = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8 : 8 + length])
    body = data[8 + length :]
    text = header.pop("__metadata__")["soloist.network"]
    tensors = {}
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        begin, end = entry["data_offsets"]
        numbers = struct.unpack("<%df" % ((end - begin) // 4), body[begin:end])
        tensors[name] = torch.tensor(numbers).reshape(entry["shape"]).requires_grad_(True)
    return text, tensors


def activate(words, x):
    return F.elu(x) if words[-1] == "elu" else F.relu(x) if words[-1] == "relu" else x


def paint(planes, pictures, side):
    """Replaces each cell by the picture of its combination of planes."""
    table = torch.zeros(2 ** planes.shape[1], 3, side, side)
    for name, picture in pictures.items():
        table[sum(2**i for i, bit in enumerate(name) if bit == "1")] = picture
    classes = sum((planes[:, i] > 0.5).long() << i for i in range(planes.shape[1]))
    cells = table[classes]  # [position][row][column][colour][y][x]
    count, height, width = classes.shape
    return cells.permute(0, 3, 1, 4, 2, 5).reshape(count, 3, height * side, width * side)


def sprites_of(text):
    """The pictures of a description, by the planes that choose them, and their side."""
    colours, pictures, side = {}, {}, 0
    for words in (line.split("#")[0].split() for line in text.splitlines()):
        if words[:1] == ["colour"]:
            colours[words[1]] = [float(part) for part in words[2:5]]
        elif words[:1] == ["sprites"]:
            side = int(words[1])
        elif words[:1] == ["picture"]:
            pictures[words[1]] = torch.tensor([[colours[c] for c in row] for row in words[2:]]).permute(2, 0, 1)
    return pictures, side


def forward(text, tensors, x):
    """Follows the description line by line."""
    marks, convs, linears, policy, value, planes = {}, 0, 0, None, None, x
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if not words or words[0] in ("input", "init", "colour", "picture"):
            continue
        if words[0] == "sprites":
            x = paint(x, *sprites_of(text))
        elif words[0] == "conv":
            convs += 1
            option = {words[i]: int(words[i + 1]) for i in range(3, len(words) - 1) if words[i] in ("pad", "stride")}
            weight, bias = tensors["conv%d.weight" % convs], tensors["conv%d.bias" % convs]
            x = activate(words, F.conv2d(x, weight, bias, option.get("stride", 1), option.get("pad", 0)))
        elif words[0] == "linear":
            linears += 1
            weight, bias = tensors["linear%d.weight" % linears], tensors["linear%d.bias" % linears]
            x = activate(words, F.linear(x.flatten(1), weight, bias))
        elif words[0] == "pool":
            x = activate(words, x.amax((2, 3), True) if words[1:2] == ["max"] else x.mean((2, 3), keepdim=True))
        elif words[0] == "at":
            plane = planes[:, int(words[1]) - 1 : int(words[1])]
            x = activate(words, (x * plane).sum((2, 3), keepdim=True))
        elif words[0] == "mark":
            marks[words[1]] = x
        elif words[0] == "from":
            x = marks[words[1]]
        elif words[0] == "add":
            x = activate(words, x + marks[words[1]])
        elif words[0] == "policy":
            policy = x.flatten(1)
        elif words[0] == "value":
            value = x.flatten()
    return policy, value


def loss_of(policy, value, wanted_policy, wanted_value, u, under, over, entropy):
    total = 0
    if policy is not None:
        log_p = F.log_softmax(policy, 1)
        total = total - (wanted_policy * log_p).sum(1).mean() + entropy * (log_p.exp() * log_p).sum(1).mean()
    if value is not None:
        off = value - wanted_value
        weight = torch.where(off <= 0, torch.tensor(under), torch.tensor(over))
        total = total + u * (weight * off * off).mean()
    return total


def main():
    network, batch, out, count, optimiser = sys.argv[1:4] + [int(sys.argv[4]), sys.argv[5]]
    rate, squares, epsilon, l2, clip, u, under, over, entropy = map(float, sys.argv[6:])
    torch.set_num_threads(1)
    text, tensors = read_file(network)
    shape = [int(n) for n in next(l for l in text.splitlines() if l.startswith("input")).split()[1].split("x")]
    raw = open(batch, "rb").read()
    numbers = torch.tensor(struct.unpack("<%df" % (len(raw) // 4), raw))
    size = count * shape[0] * shape[1] * shape[2]
    planes, wanted = numbers[:size].reshape([count] + shape), numbers[size:]
    wanted_policy, wanted_value = wanted[:-count].reshape(count, -1), wanted[-count:]

    parameters = list(tensors.values())
    policy, value = forward(text, tensors, planes)
    loss_of(policy, value, wanted_policy, wanted_value, u, under, over, entropy).backward()
    results = [t.detach().flatten() for t in (policy, value) if t is not None] + [p.grad.flatten() for p in parameters]
    results = [r.clone() for r in results]
    if optimiser == "adam":
        steps = torch.optim.Adam(parameters, rate, (0.9, squares), epsilon, l2)
    elif optimiser == "rmsprop":
        steps = torch.optim.RMSprop(parameters, rate, squares, epsilon, l2)
    else:
        steps = torch.optim.SGD(parameters, rate, weight_decay=l2)
    for _ in range(10):
        steps.zero_grad()
        policy, value = forward(text, tensors, planes)
        loss = loss_of(policy, value, wanted_policy, wanted_value, u, under, over, entropy)
        loss.backward()
        if clip > 0:
            torch.nn.utils.clip_grad_norm_(parameters, clip)
        steps.step()
        results.append(loss.detach().reshape(1))
    flat = torch.cat(results).tolist()
    with open(out, "wb") as stream:
        stream.write(struct.pack("<%df" % len(flat), *flat))


main()
