;; Dot products of one int8 vector with many, 16 components at a time. scripts/build-kernel.ts turns this into kernel.ts.
(module
  (memory (export "memory") 1)

  ;; $query: the query's components as int16, $stride of them. $rows: $count vectors of $stride bytes, one after the other.
  ;; $stride is a multiple of 16. One int32 per row is written to $scores.
  (func (export "dots")
    (param $query i32) (param $rows i32) (param $scores i32) (param $count i32) (param $stride i32)
    (local $at i32) (local $end i32) (local $bytes v128) (local $sum v128)
    (block $done
      (loop $each_row
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $sum (v128.const i32x4 0 0 0 0))
        (local.set $at (local.get $query))
        (local.set $end (i32.add (local.get $rows) (local.get $stride)))
        (loop $each_block
          (local.set $bytes (v128.load (local.get $rows)))
          (local.set $sum
            (i32x4.add
              (local.get $sum)
              (i32x4.add
                (i32x4.dot_i16x8_s (i16x8.extend_low_i8x16_s (local.get $bytes)) (v128.load (local.get $at)))
                (i32x4.dot_i16x8_s (i16x8.extend_high_i8x16_s (local.get $bytes)) (v128.load offset=16 (local.get $at))))))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (local.set $rows (i32.add (local.get $rows) (i32.const 16)))
          (br_if $each_block (i32.lt_u (local.get $rows) (local.get $end))))
        (i32.store
          (local.get $scores)
          (i32.add
            (i32.add (i32x4.extract_lane 0 (local.get $sum)) (i32x4.extract_lane 1 (local.get $sum)))
            (i32.add (i32x4.extract_lane 2 (local.get $sum)) (i32x4.extract_lane 3 (local.get $sum)))))
        (local.set $scores (i32.add (local.get $scores) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $each_row)))))
