;; Dot products of one 8-bit vector with the rows of a matrix, thirty-two numbers at a time. Widths are multiples of 32. No
;; number is -128: then two products fit into sixteen bits. The bytes in matrix.ts are this file as wabt assembles it
;; (wat2wasm dot.wat).
(module
  (memory (export "memory") 1)
  (func $one (param $row i32) (param $query i32) (param $stop i32) (result f32)
    (local $sum v128) (local $other v128) (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (loop $step
      (local.set $a (v128.load (local.get $row)))
      (local.set $b (v128.load (local.get $query)))
      (local.set $c (v128.load offset=16 (local.get $row)))
      (local.set $d (v128.load offset=16 (local.get $query)))
      (local.set $sum (i32x4.add (local.get $sum) (i32x4.extadd_pairwise_i16x8_s (i16x8.add
        (i16x8.extmul_low_i8x16_s (local.get $a) (local.get $b))
        (i16x8.extmul_high_i8x16_s (local.get $a) (local.get $b))))))
      (local.set $other (i32x4.add (local.get $other) (i32x4.extadd_pairwise_i16x8_s (i16x8.add
        (i16x8.extmul_low_i8x16_s (local.get $c) (local.get $d))
        (i16x8.extmul_high_i8x16_s (local.get $c) (local.get $d))))))
      (local.set $row (i32.add (local.get $row) (i32.const 32)))
      (local.set $query (i32.add (local.get $query) (i32.const 32)))
      (br_if $step (i32.lt_u (local.get $query) (local.get $stop))))
    (local.set $sum (i32x4.add (local.get $sum) (local.get $other)))
    (f32.convert_i32_s (i32.add
      (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
      (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))))

  ;; A result for every row.
  (func (export "scan") (param $rows i32) (param $width i32) (param $matrix i32) (param $query i32) (param $out i32)
    (local $end i32) (local $stop i32)
    (local.set $stop (i32.add (local.get $query) (local.get $width)))
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $rows) (i32.const 2))))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (f32.store (local.get $out) (call $one (local.get $matrix) (local.get $query) (local.get $stop)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $matrix (i32.add (local.get $matrix) (local.get $width)))
        (br $row))))

  ;; Added to the results that reach the floor; the others become nothing.
  (func (export "refine") (param $rows i32) (param $width i32) (param $matrix i32) (param $query i32) (param $out i32) (param $floor f32)
    (local $end i32) (local $stop i32) (local $so_far f32)
    (local.set $stop (i32.add (local.get $query) (local.get $width)))
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $rows) (i32.const 2))))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $so_far (f32.load (local.get $out)))
        (if (f32.lt (local.get $so_far) (local.get $floor))
          (then (f32.store (local.get $out) (f32.const 0)))
          (else (f32.store (local.get $out) (f32.add (local.get $so_far)
            (call $one (local.get $matrix) (local.get $query) (local.get $stop))))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (local.set $matrix (i32.add (local.get $matrix) (local.get $width)))
        (br $row)))))
