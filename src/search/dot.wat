;; Dot products of one 8-bit vector with each row of a matrix, sixteen numbers at a time. `width` is a multiple of 16. The
;; bytes in matrix.ts are this file as wabt assembles it (wat2wasm dot.wat).
(module
  (memory (export "memory") 1)
  (func (export "dot") (param $rows i32) (param $width i32) (param $matrix i32) (param $query i32) (param $out i32)
    (local $end i32) (local $q i32) (local $stop i32) (local $sum v128) (local $a v128) (local $b v128)
    (local.set $stop (i32.add (local.get $query) (local.get $width)))
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $rows) (i32.const 2))))
    (block $done
      (loop $row
        (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $q (local.get $query))
        (loop $step
          (local.set $a (v128.load (local.get $matrix)))
          (local.set $b (v128.load (local.get $q)))
          (local.set $sum (i32x4.add (local.get $sum) (i32x4.add
            (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_low_i8x16_s (local.get $a) (local.get $b)))
            (i32x4.extadd_pairwise_i16x8_s (i16x8.extmul_high_i8x16_s (local.get $a) (local.get $b))))))
          (local.set $matrix (i32.add (local.get $matrix) (i32.const 16)))
          (local.set $q (i32.add (local.get $q) (i32.const 16)))
          (br_if $step (i32.lt_u (local.get $q) (local.get $stop))))
        (f32.store (local.get $out) (f32.convert_i32_s (i32.add
          (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
          (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum))))))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $row)))))
