"""Handwritten digits by elastic matching with hand-drawn pen paths.

1. Every form in WEIGHTS is one pen path, drawn into the 28 x 28 field by the forward pass itself.
2. Images and drawn forms go through the same layers: upright (shear), one size, partly one width; then edge
   directions, the shapes of the enclosed paper (holes and bays) and ink, blurred and pooled to 12 x 12 cells.
3. Each cell with its eight neighbours looks for its best partner within two cells, from the image to the form and
   back; what stays unexplained, relative to all there was to explain, is the distance.
4. A softmax over the negative distances lets the nearest forms vote for their digit.
"""
import numpy as np

TASK = "mnist"

# Pen paths: [x, y] points, x to the right and y down, for a digit of about 20 x 20 pixels around (14, 14).
# Slant, size and place are normalised away later, so only the shape counts. Where a hand would lift the pen, the
# path goes back over ink that is already there.
FORMS = {
    # 0, common oval: an ellipse of half axes 6 and 10, a point every 30 degrees
    "form 0 oval": [[14, 4], [17, 5.3], [19.2, 9], [20, 14], [19.2, 19], [17, 22.7], [14, 24], [11, 22.7], [8.8, 19], [8, 14], [8.8, 9], [11, 5.3], [14, 4]],
    # 0 as a circle of radius 9.5, for hands that write it as wide as high
    "form 0 round": [[14, 4.5], [18.7, 5.8], [22.2, 9.2], [23.5, 14], [22.2, 18.8], [18.7, 22.2], [14, 23.5], [9.3, 22.2], [5.8, 18.8], [4.5, 14], [5.8, 9.2], [9.3, 5.8], [14, 4.5]],
    # 0 squeezed to a half width of about 4 with the full height, the slim oval
    "form 0 narrow": [[14, 4], [16.1, 5.3], [17.6, 9], [18.2, 14], [17.6, 19], [16.1, 22.7], [14, 24], [11.9, 22.7], [10.4, 19], [9.8, 14], [10.4, 9], [11.9, 5.3], [14, 4]],
    # 0 whose end runs past its beginning, leaving a small overlap inside the top
    "form 0 overlap": [[16, 7], [13, 4.5], [10, 7], [8.3, 12], [8.5, 18], [11, 22.8], [15, 24], [18.5, 21.5], [20.3, 16], [20, 10], [17.8, 6], [14.5, 4.5], [11, 6.5]],
    # 0 not quite closed: the oval starts at x = 12 and ends at x = 17, a gap of five at the top
    "form 0 gap": [[12, 5], [9.5, 8], [8, 13], [8.5, 19], [11.5, 23.3], [15.5, 23.5], [19, 20], [20.3, 14], [19.5, 8.5], [17, 5]],
    # 0 like an egg with a pointed top, where the pen comes down fast on both sides
    "form 0 egg": [[15, 4], [18, 8], [19.8, 13], [19.3, 18.5], [16.5, 22.8], [13, 24], [10, 21.5], [8.3, 17], [8.6, 12], [11, 7.5], [15, 4]],

    # 1, plain stick: slant is removed later, so one upright line serves all slanted ones
    "form 1 stick": [[14, 4], [14, 24]],
    # 1 with a short flag of three pixels at the top left
    "form 1 flag": [[11, 7.5], [14, 4], [14, 24]],
    # 1 with a long flag but no foot, half way to a 7 but with a falling flag
    "form 1 long flag": [[9, 9.5], [14.5, 4], [14.5, 24]],
    # 1 as printed: flag, stem and a foot of eleven pixels
    "form 1 printed": [[9.5, 9], [14.5, 4], [14.5, 24], [9, 24], [20, 24]],
    # 1 with only a foot under the stem
    "form 1 foot": [[14, 4], [14, 24], [9.5, 24], [18.5, 24]],
    # 1 as a stem bowed to the right by less than two pixels
    "form 1 bow right": [[13, 4], [14.5, 9], [14.8, 15], [13, 24]],
    # 1 as a stem bowed to the left, the mirror of the one before
    "form 1 bow left": [[15, 4], [13.3, 10], [13.3, 17], [15, 24]],

    # 2, plain: round head, straight diagonal to the lower left corner, flat base
    "form 2 plain": [[8, 9], [9.5, 5.5], [13.5, 4], [17.5, 5.5], [18.8, 9.5], [17, 13.5], [13, 18], [8.5, 23.5], [14, 23.5], [20.5, 23.5]],
    # 2 with a small loop at the lower left before the base runs out to the right
    "form 2 small loop": [[8, 8], [11, 4.8], [15, 4.3], [18, 7], [17.8, 11.5], [15, 16.5], [11, 21.5], [8, 23], [6.5, 21.5], [8.5, 19.7], [12.5, 21.3], [16.5, 23.5], [21.5, 22.5]],
    # 2 with a large loop, six pixels high, and a base that falls away
    "form 2 large loop": [[9, 8], [12, 4.5], [16, 4.5], [18.5, 8], [17.5, 13], [14.5, 18.5], [10.5, 23], [7, 23.5], [5.5, 20.5], [8, 17.8], [12, 19], [16.5, 22.5], [21.5, 24]],
    # 2 with a base that swings like a wave and ends upwards
    "form 2 wave": [[8, 8], [11.5, 4.5], [16, 4.5], [18.5, 8], [17, 13], [12, 18.5], [7, 23.5], [11.5, 21.8], [15.5, 23.5], [19, 23.5], [22, 21]],
    # 2 like a Z: the head is almost a flat bar
    "form 2 zed": [[7, 5.5], [13, 4.5], [18.5, 5.5], [18, 9], [14, 14.5], [8, 23], [14, 23.3], [21, 23]],
    # 2 whose head begins with a hook curling inwards on the left
    "form 2 hook": [[10.5, 11.5], [7.8, 9.5], [8.8, 5.8], [13.5, 4], [18, 6], [19, 10.5], [16.5, 15.5], [11, 20.5], [7, 23.5], [14, 23.2], [21, 24]],
    # 2 with a small head over a base of nineteen pixels
    "form 2 long base": [[9, 8.5], [11, 5], [15, 4.5], [17, 8], [15.5, 13], [11, 18.5], [5, 23], [12, 22], [18, 22.5], [24, 23]],
    # 2 with a large head that bulges to the right over a short base
    "form 2 big head": [[6.5, 10], [8.5, 5.5], [14, 4], [19, 6.5], [19.8, 12], [16.5, 17.5], [11, 22.5], [15, 22.5], [19, 24.5]],
    # 2 written slim and steep, head and base only eight pixels wide
    "form 2 slim": [[10, 8], [12, 4.8], [15, 4.5], [17, 8], [16.5, 13], [13.5, 18.5], [10, 24], [14, 23.7], [18.5, 23.5]],

    # 3, common: two round bows that meet in a cusp near the middle
    "form 3 round": [[7.5, 7], [10, 4.5], [14.5, 4], [18, 6.5], [17.3, 10.5], [12.5, 13.3], [17, 14.5], [19.5, 18.5], [17.3, 22.5], [12.5, 24], [7.5, 22]],
    # 3 with a flat top bar and a straight diagonal to the waist
    "form 3 flat top": [[7.5, 4.5], [18, 4.5], [14.5, 9], [11.5, 12.2], [16.5, 13.2], [19.3, 17.5], [17.5, 22], [13, 24], [7.5, 22.5]],
    # 3 whose waist reaches far to the left, to x = 9.5
    "form 3 deep waist": [[7.5, 7], [10.5, 4.3], [15.5, 4.5], [18, 7.5], [15.5, 11.5], [9.5, 13.8], [15.5, 14.2], [18.8, 17.5], [18, 21.8], [13.5, 24], [7, 22.5]],
    # 3 written slim with a waist that hardly bends in
    "form 3 shallow": [[9.5, 6], [12.5, 4], [16, 5.3], [17.3, 8.5], [15, 12.5], [16.5, 14.8], [18, 18.5], [16.5, 22.5], [12.5, 24], [8.5, 22.5]],
    # 3 with a small head and a big belly
    "form 3 big belly": [[9, 6], [12, 4], [15.5, 5], [16, 8.5], [12, 11.5], [17, 12.5], [20.3, 16.5], [19, 21.5], [13.5, 24], [7, 22.5]],
    # 3 with a big head and a small belly
    "form 3 big head": [[6.5, 7.5], [10, 4.3], [15.5, 4.3], [19.5, 8], [17.5, 12.5], [12.5, 15.5], [16.5, 16.5], [18, 19.5], [16, 23], [12, 24], [8, 23]],
    # 3 with a little loop at the waist where the pen turned round
    "form 3 waist loop": [[8, 6.5], [11.5, 4.2], [16, 5], [17.5, 8.5], [14.5, 12], [10.5, 14.5], [10, 12.7], [14, 12.8], [18, 15.5], [19, 19.5], [16, 23.3], [11, 24], [7, 22]],
    # 3 with both ends curled inwards, the closest that a 3 comes to an 8
    "form 3 curled": [[8.5, 9], [7.8, 6], [11.5, 4], [16.5, 5], [17.8, 9], [13, 13], [18, 15.5], [19, 20], [15.5, 23.7], [10, 23.7], [7.5, 20.5], [9, 19]],
    # 3 written wide, seventeen pixels across, with long flat ends
    "form 3 wide": [[5, 6], [11, 4.3], [17.5, 5], [19, 8], [11, 13], [18.5, 13.8], [22, 17.5], [19, 22], [12, 24], [5, 23]],

    # 4, open, with a square corner: arm down, bar right, stem on the right
    "form 4 square": [[8.5, 4.5], [7.5, 9], [7, 13.5], [12, 14.2], [18, 13.5], [18.5, 4], [18, 13.5], [17.3, 24]],
    # 4 with arm and bar in one round cup that runs up into the stem, like a y
    "form 4 cup": [[8.5, 5], [7.3, 9.5], [8.3, 13], [12, 14.3], [16, 12.5], [18.8, 9], [19.3, 4.5], [18.8, 9], [17.8, 16], [17, 24]],
    # 4 as printed: a closed triangle on a low bar that crosses the stem
    "form 4 triangle": [[16.5, 4], [11.5, 10.5], [6, 17], [16.3, 17], [21.5, 17], [16.3, 17], [16.5, 4], [16, 24]],
    # 4 whose arm leans over until the top is nearly closed
    "form 4 nearly closed": [[14.5, 5], [10.5, 8.5], [7, 13.8], [12, 14.5], [17.3, 13], [17.8, 5], [17.3, 13], [16.5, 24]],
    # 4 whose bar runs five pixels past the stem
    "form 4 crossing": [[9, 5], [7.5, 10], [6, 15], [14, 15], [22, 14.3], [16.7, 14.8], [17.3, 6], [16.7, 14.8], [16, 24]],
    # 4 with a tall arm and a stem that begins lower, at y = 9
    "form 4 tall arm": [[10, 4], [8.5, 9], [6.5, 14.5], [13, 14.7], [20, 13.5], [16.7, 14], [17.5, 9], [16.7, 14], [15.5, 24]],
    # 4 with a small high cup over a long stem
    "form 4 high cup": [[9, 4.5], [8, 8], [8.5, 11], [12.5, 11.8], [17.5, 10.5], [18.3, 4], [17.5, 10.5], [16.5, 17], [15.8, 24]],
    # 4 written wide, the stem fifteen pixels from the arm
    "form 4 wide": [[6.5, 7], [5, 12], [6, 15.5], [12, 15], [20, 12.5], [21.5, 4.5], [20, 12.5], [18, 24]],

    # 5, common: hat to the right, short neck, round bowl open to the left
    "form 5 plain": [[19, 4.3], [14.5, 4.3], [10, 4.5], [9, 11.5], [13.5, 10.8], [17.5, 13], [18.8, 17], [17, 21.5], [12.5, 24], [7.5, 22.5]],
    # 5 written as an S without corners
    "form 5 ess": [[20, 4.5], [14.5, 5], [10.8, 7.5], [10.8, 11], [15, 13.5], [18, 17], [16.5, 21.8], [12, 24], [7, 22.5]],
    # 5 with a hat of only five pixels
    "form 5 short hat": [[16.5, 4], [11.5, 4.5], [10, 11], [14, 11], [17.5, 13.8], [18, 18.5], [15, 23], [11, 24], [8, 22]],
    # 5 with a big bowl that begins high
    "form 5 big bowl": [[18.5, 4.3], [9, 4.5], [8, 11.5], [13, 9.8], [18, 11.5], [20.3, 16], [18.8, 21], [13.5, 24], [7, 21.8]],
    # 5 with a long neck down to y = 14 and a small low bowl
    "form 5 low bowl": [[18, 4.5], [11.5, 5], [10, 9.5], [9.3, 14], [13.5, 14], [16.3, 17], [15.3, 21.3], [12, 23.8], [7, 23]],
    # 5 whose bowl curls up at its end, the closest that a 5 comes to a 6
    "form 5 curled": [[18.5, 4.3], [11.5, 4.8], [10, 11.5], [15, 11.8], [18.3, 15.5], [17, 20.5], [13, 23.3], [8.5, 22.5], [7.8, 19.5], [10.5, 18]],
    # 5 written wide: the hat reaches x = 22 and the bowl ends at x = 5
    "form 5 wide": [[22, 4.5], [16, 5], [11.5, 5.5], [9.5, 12], [14.5, 12.3], [17.3, 15.5], [15.5, 20.5], [10.5, 23.5], [5, 22]],
    # 5 with a hat that rises to the right like a feather
    "form 5 rising hat": [[21, 3.5], [15, 5.5], [11, 6.5], [10, 12.5], [14, 12], [17, 15], [16.5, 20], [12.5, 23.7], [8, 23]],

    # 6, common: a back bent like a bracket and a loop over the lower half
    "form 6 plain": [[16.5, 4], [12, 8], [9.3, 13], [8.5, 18], [10.3, 22.5], [14.3, 24], [18, 21.5], [18.3, 17.5], [15.3, 15], [11.5, 16.3], [8.8, 19.5]],
    # 6 with a small loop, only six pixels high, at the foot of a long back
    "form 6 small loop": [[13.5, 4], [11, 9.5], [9.5, 15], [9.3, 20], [11.3, 23.5], [14.8, 23.7], [17, 20.8], [15.5, 18], [12.3, 18], [9.5, 20.5]],
    # 6 with a loop that takes more than half of the height
    "form 6 large loop": [[17.5, 4.5], [12.5, 6], [8.8, 10.5], [7.3, 16], [9.3, 21.8], [14, 24], [18.7, 21.5], [20, 16.7], [17, 13], [12, 13.3], [7.8, 17.5]],
    # 6 whose top bends over to the right and down like a C
    "form 6 hooked top": [[19, 8], [17.3, 4.8], [13.5, 4.3], [10, 8], [8.3, 14], [9, 20], [12.5, 23.8], [17, 22.3], [18.3, 18], [15.3, 15], [11.3, 16], [8.5, 19]],
    # 6 whose loop curls in without reaching the back
    "form 6 open loop": [[15, 4], [11, 8.5], [8.5, 14.5], [9.3, 20.5], [13, 24], [17.5, 22.5], [19, 18.5], [16.3, 15.5], [13, 17], [12, 20]],
    # 6 with a flat loop that stretches far to the right
    "form 6 wide loop": [[13, 4], [9.5, 9.5], [7.3, 16], [8.5, 21.5], [13, 24], [19, 23], [21.3, 19.5], [18, 16.8], [12.5, 17.5], [8, 20.5]],
    # 6 written slim with a straight back
    "form 6 slim": [[12.5, 4], [11.5, 10], [11, 16.5], [11.5, 21.5], [14, 24], [16.8, 22], [17, 18], [14.8, 16], [11.3, 18.5]],
    # 6 written squat: a round ball with a short stub on top
    "form 6 squat": [[16, 6.5], [11, 8], [7.5, 13], [7.5, 19], [11, 23.5], [16.5, 23.5], [20, 19.5], [19, 14.8], [14.5, 13], [9.5, 15.5], [7.5, 19]],

    # 7, plain: a flat bar, a sharp corner and a slightly bent stem
    "form 7 plain": [[7, 5], [13, 5], [19.5, 5], [17, 10.5], [14.5, 17], [13, 24]],
    # 7 with a serif of four pixels hanging from the left end of the bar
    "form 7 serif": [[7, 9], [7.5, 5.3], [19.5, 5], [16, 13], [14, 24]],
    # 7 with the European bar through the middle of the stem
    "form 7 crossed": [[7, 5], [19.5, 5], [16, 13.5], [10.5, 14], [21, 13.5], [16, 13.5], [13, 24]],
    # 7 with both the serif and the middle bar
    "form 7 crossed serif": [[6.5, 8.5], [8, 5], [19, 5], [16, 13], [11, 13.5], [20, 12.5], [16, 13], [13.5, 24]],
    # 7 with a round shoulder in place of the corner
    "form 7 round": [[6.5, 7.5], [9.5, 5], [15, 4.8], [18.8, 6.5], [18, 11], [15.5, 17], [14, 24]],
    # 7 with a bar of only eight pixels
    "form 7 short bar": [[9.5, 5.5], [14, 5], [17.5, 5], [16.5, 11], [15, 17], [14, 24]],
    # 7 with a bar of seventeen pixels
    "form 7 wide bar": [[4.5, 6], [13, 5.3], [22, 5], [18, 11.5], [15, 17.5], [13.5, 24]],
    # 7 whose bar sags between its two ends
    "form 7 sagging bar": [[6.5, 4.5], [9, 7.3], [14, 7], [19.5, 4.8], [16.5, 12], [14.5, 18], [13.5, 24]],
    # 7 whose bar falls to the right
    "form 7 falling bar": [[7.5, 4.5], [13, 6], [19, 8], [17, 13], [15, 18.5], [14, 24]],
    # 7 whose bar rises to the right
    "form 7 rising bar": [[6.5, 8], [13, 6.3], [19.5, 4.3], [17, 11], [14.5, 17.5], [13.5, 24]],
    # 7 with a stem that bends from a steep diagonal into the upright
    "form 7 bent stem": [[7, 5.5], [18, 5], [18.5, 8], [14, 13], [12.5, 18.5], [13, 24]],

    # 8, common: two round loops of nearly one size that cross in the middle
    "form 8 even": [[14, 13.5], [10.3, 11.3], [9.3, 7.8], [11, 5], [14, 4], [17, 5], [18.7, 7.8], [17.7, 11.3], [14, 13.5], [10, 16], [8.7, 19.5], [10.5, 22.8], [14, 24], [17.5, 22.8], [19.3, 19.5], [18, 16], [14, 13.5]],
    # 8 written slim, both loops only six pixels wide
    "form 8 slim": [[14, 13.8], [11.5, 11], [11, 7.5], [14, 4], [17, 7.5], [16.5, 11], [14, 13.8], [11.3, 17], [10.8, 20.5], [14, 24], [17.3, 20.5], [16.8, 17], [14, 13.8]],
    # 8 with a small head, crossing at y = 11, over a big belly
    "form 8 small head": [[14, 11.3], [11.3, 9.5], [11, 6.5], [14, 4], [17, 6.5], [16.7, 9.5], [14, 11.3], [10, 14], [8.3, 18], [10.3, 22.5], [14, 24], [17.7, 22.5], [19.7, 18], [18, 14], [14, 11.3]],
    # 8 with a big head, crossing at y = 16, over a small belly
    "form 8 big head": [[14, 15.8], [10, 13], [8.5, 9], [10.5, 5], [14, 4], [17.8, 5], [19.7, 9], [18, 13], [14, 15.8], [11.5, 18], [11, 21], [13.5, 24], [16.5, 22.5], [17, 19], [14, 15.8]],
    # 8 begun at the upper right as an S and not quite closed there
    "form 8 open head": [[17.5, 5], [14, 4], [10.5, 5.5], [10, 9], [13.5, 12.5], [17.5, 16], [18.5, 20], [15.5, 23.5], [11, 23], [9, 19.5], [11, 15.8], [15.5, 12], [19.8, 9]],
    # 8 written wide, both loops fourteen pixels across
    "form 8 wide": [[14, 13.5], [8.5, 11.5], [7, 8], [10, 4.8], [14.5, 4.3], [19.5, 5.5], [20.5, 9], [18, 12], [14, 13.5], [9, 15.5], [7, 19], [9.5, 22.8], [14, 23.8], [19, 22.5], [20.8, 19], [18.5, 15.5], [14, 13.5]],

    # 9, common: a round loop over the upper half on a straight stem
    "form 9 plain": [[18, 8], [16.5, 5], [13, 4], [9.7, 6], [8.7, 9.5], [10.5, 12.8], [14, 13], [17, 10.8], [18, 8], [17.5, 15], [16.5, 24]],
    # 9 as a turned 6: the stem bends into a tail to the left
    "form 9 tail": [[18.5, 8], [16, 4.8], [12.5, 4.3], [9.3, 7], [9.3, 11], [12.3, 13.5], [16.3, 12], [18.5, 8], [18.7, 14], [17.3, 20], [13.5, 23.7], [8.5, 22.5]],
    # 9 with a small loop, six pixels high, on a long stem
    "form 9 small loop": [[17.3, 6.8], [14.5, 4], [11.3, 5.2], [10.8, 8.3], [13, 10.5], [16, 9.5], [17.3, 6.8], [16.7, 13], [15.5, 24]],
    # 9 with a loop of eleven pixels, more than half of the height
    "form 9 big loop": [[19, 9], [17, 5], [12.8, 4], [8.7, 6.5], [7.3, 11], [9.5, 15], [14, 15.3], [17.7, 12.5], [19, 9], [18.3, 16.5], [17.3, 24]],
    # 9 with a flat loop that stretches far to the left
    "form 9 wide loop": [[19.5, 6.5], [14.5, 4.5], [9, 6.5], [6.3, 10.5], [9, 13], [14.5, 11.5], [19.5, 6.5], [18, 14.5], [16.5, 24]],
    # 9 whose loop stays a little open at the upper right, though its roof is there as it is not in a 4
    "form 9 open loop": [[16.5, 4.5], [12.5, 4.8], [9, 8], [8.7, 11.8], [12, 13.5], [15.8, 11.5], [18.3, 7], [17.7, 14], [16.7, 24]],
    # 9 with a pointed, leaning loop that begins at the top of the stem
    "form 9 pointed": [[17, 4.5], [12.5, 6], [9.3, 10], [11, 12.7], [15, 10.5], [17.5, 5], [16.5, 14], [15.5, 24]],
    # 9 written slim, the loop upright and five pixels wide
    "form 9 slim": [[16.5, 7.5], [14, 4], [11.3, 6.5], [11, 10.5], [13.5, 13], [16, 10.5], [16.5, 7.5], [16.3, 15], [15.5, 24]],
}

WEIGHTS = {
    # the pen paths above, each explained where it is drawn
    **FORMS,
    # the digit each form stands for, one number a form, in the order of the drawings
    "digit": [int(name.split()[1]) for name in FORMS],
    # ink is full up to 0.9 from the path and gone at 1.9: a stroke about 2.8 wide, a usual pen in a 20 pixel box
    "pen": [1.9],
    # vertical spread (standard deviation) given to every digit: about 18 pixels of height, which fits 12 cells of 2
    "height": [5.6],
    # horizontal spread over vertical spread of a usual digit, the aim of the widening
    "aspect": [0.7],
    # the width goes half the way (a square root) to that aim, so that a 1 stays slimmer than a 0
    "aspect_power": [0.5],
    # wide digits are narrowed to three quarters at most
    "narrowest": [0.75],
    # slim ones are widened by half at most, or a 1 would become a block
    "widest": [1.5],
    # binomial smoothing of one pixel's reach before differences are taken, against pixel noise
    "smooth": [0.25, 0.5, 0.25],
    # eight compass directions of the edge, each 45 degrees from the next; 0.7071 is the sine and cosine of 45 degrees
    "directions": [
        [1.0, 0.0],  # ink begins to the right
        [0.7071, 0.7071],  # ink begins to the lower right
        [0.0, 1.0],  # ink begins below
        [-0.7071, 0.7071],  # ink begins to the lower left
        [-1.0, 0.0],  # ink begins to the left
        [-0.7071, -0.7071],  # ink begins to the upper left
        [0.0, -1.0],  # ink begins above
        [0.7071, -0.7071],  # ink begins to the upper right
    ],
    # a direction answers to edges within 45 degrees of it, whose projection exceeds cos 45 of the edge's strength
    "tuning": [0.7071],
    # an edge of this blurred strength, two thirds of a usual stroke's, counts half: faint and firm pens become alike
    "contrast": [0.05],
    # grey above two thirds is taken as full ink, so that thin strokes stop a ray too
    "ink_gain": [1.5],
    # weight of holes, then of bays open to the right, left, top, bottom; a hole says most, both less than an edge
    "regions": [0.7, 0.5, 0.5, 0.5, 0.5],
    # ink itself counts little, as pens differ in width; it still tells a filled loop from empty paper
    "ink": [0.35],
    # binomial blur of two pixels' reach before pooling: strokes a pixel apart still overlap
    "blur": [0.0625, 0.25, 0.375, 0.25, 0.0625],
    # price of moving a cell by -2 .. 2 cells, growing as the square: 2 pixels nearly free, 4 pixels a fifth of a stroke
    "shift_cost": [0.08, 0.02, 0.0, 0.02, 0.08],
    # softmax gain: full mismatch is 18 (nine cells, two ways), so a hundredth of it already counts about one
    "sharpness": [6.0],
}


def draw(path, pen):
    """One pen path as a 28 x 28 image: ink falls off with the distance to the nearest segment."""
    axis = np.arange(28, dtype=np.float32)
    ys, xs = np.meshgrid(axis, axis, indexing="ij")
    grid = np.stack([xs.ravel(), ys.ravel()], axis=1)
    begin = path[:-1]
    along = path[1:] - begin
    offset = grid[None, :, :] - begin[:, None, :]
    part = (offset * along[:, None, :]).sum(axis=2) / ((along * along).sum(axis=1) + 1e-6)[:, None]
    part = np.clip(part, 0, 1)
    gap = offset - part[:, :, None] * along[:, None, :]
    nearest = np.sqrt((gap * gap).sum(axis=2)).min(axis=0)
    return np.clip(pen - nearest, 0, 1).reshape(28, 28)


def spread(maps, kernel, axis):
    """Convolution with a short kernel along one axis, paper beyond the border."""
    reach = len(kernel) // 2
    size = maps.shape[axis]
    widths = [(0, 0)] * maps.ndim
    widths[axis] = (reach, reach)
    padded = np.pad(maps, widths)
    out = np.zeros_like(maps)
    for step in range(len(kernel)):
        window = [slice(None)] * maps.ndim
        window[axis] = slice(step, step + size)
        out += kernel[step] * padded[tuple(window)]
    return out


def upright(images, w):
    """Shear away the slant and bring every digit to one height and partly to one width, by its moments."""
    pos = np.arange(28, dtype=np.float32)
    columns = images.sum(axis=1)
    rows = images.sum(axis=2)
    mass = rows.sum(axis=1) + 1e-6
    cx = (columns * pos).sum(axis=1) / mass
    cy = (rows * pos).sum(axis=1) / mass
    dx = pos[None, :] - cx[:, None]
    dy = pos[None, :] - cy[:, None]
    vx = (columns * dx * dx).sum(axis=1) / mass + 1e-6
    vy = (rows * dy * dy).sum(axis=1) / mass + 1e-6
    vxy = ((images * dx[:, None, :]).sum(axis=2) * dy).sum(axis=1) / mass
    slant = vxy / vy
    sx = np.sqrt(np.maximum(vx - slant * vxy, 0) + 1e-6)
    sy = np.sqrt(vy)
    zoom = w["height"] / sy
    ratio = np.clip((w["aspect"] * sy / sx) ** w["aspect_power"], w["narrowest"], w["widest"])
    target = pos - pos.mean()
    down = target[None, :] / zoom[:, None]
    y_from = cy[:, None] + down
    x_from = cx[:, None, None] + target[None, None, :] / (zoom * ratio)[:, None, None] + (slant[:, None] * down)[:, :, None]
    y_tent = np.maximum(1 - np.abs(y_from[:, :, None] - pos), 0)
    lines = np.matmul(y_tent, images)
    x_tent = np.maximum(1 - np.abs(x_from[:, :, :, None] - pos), 0)
    return (x_tent * lines[:, :, None, :]).sum(axis=3)


def describe(images, w):
    """Images to 12 x 12 cells of features: edge directions, holes and bays, ink."""
    image = upright(images, w)
    soft = spread(spread(image, w["smooth"], 1), w["smooth"], 2)
    padded = np.pad(soft, ((0, 0), (1, 1), (1, 1)))
    gx = (padded[:, 1:-1, 2:] - padded[:, 1:-1, :-2]) / 2
    gy = (padded[:, 2:, 1:-1] - padded[:, :-2, 1:-1]) / 2
    strength = np.sqrt(gx * gx + gy * gy)
    ways = w["directions"]
    edges = gx[..., None] * ways[:, 0] + gy[..., None] * ways[:, 1] - w["tuning"] * strength[..., None]
    edges = np.maximum(edges, 0)

    ink = np.clip(w["ink_gain"] * image, 0, 1)
    paper = 1 - ink
    left = np.maximum.accumulate(ink, axis=2)
    right = np.maximum.accumulate(ink[:, :, ::-1], axis=2)[:, :, ::-1]
    above = np.maximum.accumulate(ink, axis=1)
    below = np.maximum.accumulate(ink[:, ::-1, :], axis=1)[:, ::-1, :]
    sides = left * right
    ends = above * below
    regions = np.stack([
        paper * sides * ends,
        paper * ends * left * (1 - right),
        paper * ends * right * (1 - left),
        paper * sides * below * (1 - above),
        paper * sides * above * (1 - below),
    ], axis=3) * w["regions"]

    maps = np.concatenate([edges, regions, ink[..., None] * w["ink"]], axis=3)
    maps = spread(spread(maps, w["blur"], 1), w["blur"], 2)
    n = maps.shape[0]
    cells = maps.reshape(n, 14, 2, 14, 2, maps.shape[3]).mean(axis=(2, 4))
    count = len(ways)
    edge = cells[..., :count]
    size = np.sqrt((edge * edge).sum(axis=3, keepdims=True))
    edge = edge / (size + w["contrast"] + 1e-6)
    cells = np.concatenate([edge, cells[..., count:]], axis=3)
    return cells[:, 1:-1, 1:-1, :]


def neighbours(cost, across, both):
    """Sum of the costs over the 3 x 3 cells around each cell, all moved together."""
    np.copyto(across, cost)
    across[1:] += cost[:-1]
    across[:-1] += cost[1:]
    np.copyto(both, across)
    both[:, 1:] += across[:, :-1]
    both[:, :-1] += across[:, 1:]
    return both


def predict(inputs):
    w = {name: np.asarray(value, dtype=np.float32) for name, value in WEIGHTS.items()}
    images = np.asarray(inputs, dtype=np.float32)
    answer = np.zeros(len(images), dtype=np.int64)

    # the forms, drawn and described by the same layers as the images
    forms = describe(np.stack([draw(w[name], w["pen"]) for name in w if name.startswith("form")]), w)
    form_total = (forms * forms).sum(axis=(1, 2, 3))
    prices = w["shift_cost"]
    reach = len(prices) // 2
    wide = np.pad(forms, ((0, 0), (reach, reach), (reach, reach), (0, 0)))
    wide_energy = (wide * wide).sum(axis=3, keepdims=True)
    keys = np.concatenate([-2 * wide, np.ones_like(wide_energy), wide_energy], axis=3)
    keys = np.ascontiguousarray(keys.transpose(1, 2, 3, 0))

    # each form's vote: a tent of height one over its digit
    votes = np.maximum(1 - np.abs(w["digit"][:, None] - np.arange(10, dtype=np.float32)), 0)

    for start in range(0, len(images), 32):
        cells = describe(images[start:start + 32], w)
        energy = (cells * cells).sum(axis=3, keepdims=True)
        total = energy.sum(axis=(1, 2, 3))
        query = np.concatenate([cells, energy, np.ones_like(energy)], axis=3)
        query = np.ascontiguousarray(query.transpose(1, 2, 0, 3))
        high, broad, n = query.shape[:3]
        shape = (high, broad, n, keys.shape[3])

        # squared feature distance of every cell to every form's cell in reach; the best partner in both senses
        cost = np.zeros(shape, dtype=np.float32)
        across = np.zeros(shape, dtype=np.float32)
        both = np.zeros(shape, dtype=np.float32)
        there = np.full(shape, np.inf, dtype=np.float32)
        back = np.full((keys.shape[0], keys.shape[1], n, keys.shape[3]), np.inf, dtype=np.float32)
        for i in range(len(prices)):
            for j in range(len(prices)):
                np.matmul(query, keys[i:i + high, j:j + broad], out=cost)
                cost += prices[i] + prices[j]
                patch = neighbours(cost, across, both)
                np.minimum(there, patch, out=there)
                seen = back[i:i + high, j:j + broad]
                np.minimum(seen, patch, out=seen)
        unexplained = there.sum(axis=(0, 1)) + back[reach:reach + high, reach:reach + broad].sum(axis=(0, 1))
        distance = unexplained / (total[:, None] + form_total[None, :] + 1e-6)

        # attention over the forms, then the votes
        score = -w["sharpness"] * distance
        score = np.exp(score - score.max(axis=1, keepdims=True))
        score = score / score.sum(axis=1, keepdims=True)
        answer[start:start + 32] = np.matmul(score, votes).argmax(axis=1)
    return answer
