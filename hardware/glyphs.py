"""A 5x7 pixel font: 21 characters fit into one line of a 128 pixel display, with the gaps between them.

Every glyph is five columns from left to right, two hexadecimal digits each; the lowest bit is the top row.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

COLUMNS = 5
ROWS = 7

_HEX = """
sp 0000000000  ! 00005f0000  " 0007000700  # 147f147f14  $ 242a7f2a12  % 2313086462  & 3649562050  ' 0000070000
( 001c224100  ) 0041221c00  * 2a1c7f1c2a  + 08083e0808  , 0080603000  - 0808080808  . 0000606000  / 2010080402
0 3e5149453e  1 00427f4000  2 7249494946  3 2141494d33  4 1814127f10  5 2745454539  6 3c4a494931  7 6111090503
8 3649494936  9 464949291e  : 0000360000  ; 0040340000  < 0008142241  = 1414141414  > 4122140800  ? 0201590906
@ 3e415d594e  A 7c1211127c  B 7f49494936  C 3e41414122  D 7f4141413e  E 7f49494941  F 7f09090901  G 3e41415173
H 7f0808087f  I 00417f4100  J 2040413f01  K 7f08142241  L 7f40404040  M 7f021c027f  N 7f0408107f  O 3e4141413e
P 7f09090906  Q 3e4151215e  R 7f09192946  S 2649494932  T 01017f0101  U 3f4040403f  V 1f2040201f  W 3f4038403f
X 6314081463  Y 0304780403  Z 6159494d43  [ 007f414100  \\ 0204081020  ] 004141417f  ^ 0402010204  _ 4040404040
` 0003070800  a 2054547840  b 7f28444438  c 3844444428  d 384444287f  e 3854545418  f 00087e0902  g 18a4a49c78
h 7f08040478  i 00447d4000  j 2040403d00  k 7f10284400  l 00417f4000  m 7c04780478  n 7c08040478  o 3844444438
p fc18242418  q 18242418fc  r 7c08040408  s 4854545424  t 04043f4424  u 3c4040207c  v 1c2040201c  w 3c4030403c
x 4428102844  y 4c9090907c  z 4464544c44  { 0008364100  | 0000770000  } 0041360800  ~ 0201020402
¡ 00007d0000  ¿ 30484d4020  Á 7c1212127d  Ä 7d1212127d  È 7d55545444  É 7c54545545  Ë 7c55545544  Í 00447c4501
Ï 00457c4500  Ñ 7c0911207d  Ó 3c4242423d  Ö 3d4242423d  Ú 3c4040413d  Ü 3c4140413c  ß 7e01495620  á 2054547941
ä 2055547940  è 3955545418  é 3854545519  ë 3855545518  í 00447c4101  ï 00457c4100  ñ 7a11090a71  ó 3844444539
ö 3845444538  ú 3c4040217d  ü 3c4140217c
"""


def _read(table: str) -> Mapping[str, tuple[int, ...]]:
    words = table.split()
    names = (" " if name == "sp" else name for name in words[::2])
    return MappingProxyType({name: tuple(bytes.fromhex(hexes)) for name, hexes in zip(names, words[1::2], strict=True)})


GLYPHS = _read(_HEX)
"""Character to its five columns; every printable ASCII character is there, and the letters of the table's languages.

Descenders reach into an eighth row.
"""
