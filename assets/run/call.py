# Calls one function for the forge: arguments on stdin, the result on file descriptor 3. Each parameter gets a value of its type,
# and the folder above the file's package is searched, so that relative imports work.
import sys, os, json, importlib, inspect, asyncio, typing, enum, dataclasses, pathlib, datetime
file, name = sys.argv[1:3]
folder, module = os.path.dirname(file), os.path.splitext(os.path.basename(file))[0]
while os.path.exists(os.path.join(folder, '__init__.py')):
    folder, module = os.path.dirname(folder), os.path.basename(folder) + '.' + module
sys.path.insert(0, folder)
def read(kind, value):
    origin, parts = typing.get_origin(kind), typing.get_args(kind)
    if value is None or kind is typing.Any: return value
    if origin in (list, tuple, set) and parts: return origin(read(parts[0], one) for one in value)
    if origin is dict and len(parts) == 2: return {key: read(parts[1], one) for key, one in value.items()}
    if parts and origin is not typing.Literal:
        classes = [part for part in parts if isinstance(part, type) and part is not type(None)]
        return read(classes[0], value) if len(classes) == 1 else value
    if not isinstance(kind, type): return value
    if issubclass(kind, enum.Enum): return kind(value)
    if dataclasses.is_dataclass(kind):
        hints = typing.get_type_hints(kind)
        return kind(**{key: read(hints.get(key), one) for key, one in value.items()})
    if issubclass(kind, pathlib.PurePath): return pathlib.Path(value)
    if kind in (datetime.datetime, datetime.date): return kind.fromisoformat(value.replace('Z', '+00:00'))
    return value
def write(value):
    if dataclasses.is_dataclass(value) and not isinstance(value, type): return dataclasses.asdict(value)
    if isinstance(value, enum.Enum): return value.value
    if isinstance(value, (set, frozenset)): return list(value)
    return str(value)
try:
    given = json.load(sys.stdin)
    function = getattr(importlib.import_module(module), name)
    hints = typing.get_type_hints(function)
    result = function(**{key: read(hints.get(key), value) for key, value in given.items()})
    if inspect.isawaitable(result): result = asyncio.run(result)
    answer = {'result': result}
except Exception as error:
    answer = {'error': type(error).__name__, 'message': str(error)[:2000]}
with os.fdopen(3, 'w') as out: json.dump(answer, out, default=write)
