"""What is done with an installed wheel: used.py [FOLDER]; with the folder that holds NumPy also what needs NumPy."""

import pathlib
import sys

import soloist

package = pathlib.Path(soloist.__file__).parent
assert package.is_relative_to(sys.prefix), package
assert soloist._library.lib._name == str(package / "libsoloist.so"), soloist._library.lib._name
result = soloist.solve(soloist.levels("first")[0], threads=1, time=None, nodes=10000)
assert result.solved and result.replay()[-1].ended
if len(sys.argv) > 1:
    sys.path.append(sys.argv[1])
    envs = soloist.VectorEnvironment("sokoban-moves", count=50, generator="width=7,height=7,boxes=1", step_limit=9)
    envs.reset(seed=1)
    ended = 0
    for step in range(20):
        *_, terminated, truncated, info = envs.step([step % 4] * 50)
        ended += int((terminated | truncated).sum())
    assert ended >= 100 and info["action_mask"].shape == (50, 4)
print(soloist.__version__, result.status, len(soloist.levels("graded500")))
