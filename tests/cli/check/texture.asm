!!NVfp5.0
# Units, targets, offsets and inputs: each line is refused as NVIDIA's driver (580.159.04) refused its like.
TEMP a;
FLAT TEMP b;
INT ATTRIB i = fragment.attrib[0];
FLAT ATTRIB f = fragment.facing;
ATTRIB x[] = { fragment.color };
LONG TEMP d;
TEX a, a, texture[0], 2DMS;
TEX a, a, a, texture[0], 2D;
TEX a, a, image[0], 2D;
TEX a, a, texture[0].y, 2D;
TXG a, a, texture[0].xy, 2D;
TEX a, a, texture[0], 1D, (1, 1);
TXD a, a, a, a, texture[0], 2D, offset(a);
TXFMS a, a, texture[1], 2DMS;
TEX a, a, texture[2], EXTERNAL;
TEX a, a, texture[0], 3D;
KIL NEE.x;
IPAC a, a;
LOD a, a, texture[3], RECT;
END
