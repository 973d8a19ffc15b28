;; The matrix products of training, four float32 or two float64 at a time. scripts/build-kernel.ts turns this into products-kernel.ts.
;; Dense matrices are float32 in rows of $bytes, a multiple of 16. No function is optimised while it runs, so each is called for some rows at a time.
(module
  (memory (export "memory") 1)

  ;; A sparse matrix by rows (uint32 $starts and $columns, float32 $values) times the dense matrix at $from, added to the one at $to:
  ;; its row is the sparse row's, and that of $from the column's; the other way round when $transposed is 1.
  (func (export "multiply")
    (param $starts i32) (param $columns i32) (param $values i32) (param $row i32) (param $rows_end i32)
    (param $from i32) (param $to i32) (param $bytes i32) (param $transposed i32)
    (local $at i32) (local $at_end i32) (local $source i32) (local $source_end i32) (local $target i32)
    (local $of_row i32) (local $of_column i32) (local $value v128)
    (block $done
      (loop $each_row
        (br_if $done (i32.ge_u (local.get $row) (local.get $rows_end)))
        (local.set $of_row (i32.mul (local.get $row) (local.get $bytes)))
        (local.set $at (i32.load (i32.add (local.get $starts) (i32.shl (local.get $row) (i32.const 2)))))
        (local.set $at_end (i32.load offset=4 (i32.add (local.get $starts) (i32.shl (local.get $row) (i32.const 2)))))
        (block $row_done
          (loop $each_value
            (br_if $row_done (i32.ge_u (local.get $at) (local.get $at_end)))
            (local.set $value (v128.load32_splat (i32.add (local.get $values) (i32.shl (local.get $at) (i32.const 2)))))
            (local.set $of_column
              (i32.mul (i32.load (i32.add (local.get $columns) (i32.shl (local.get $at) (i32.const 2)))) (local.get $bytes)))
            (local.set $source
              (i32.add (local.get $from) (select (local.get $of_row) (local.get $of_column) (local.get $transposed))))
            (local.set $target
              (i32.add (local.get $to) (select (local.get $of_column) (local.get $of_row) (local.get $transposed))))
            (local.set $source_end (i32.add (local.get $source) (local.get $bytes)))
            (loop $each_block
              (v128.store
                (local.get $target)
                (f32x4.add (v128.load (local.get $target)) (f32x4.mul (local.get $value) (v128.load (local.get $source)))))
              (local.set $source (i32.add (local.get $source) (i32.const 16)))
              (local.set $target (i32.add (local.get $target) (i32.const 16)))
              (br_if $each_block (i32.lt_u (local.get $source) (local.get $source_end))))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (br $each_value)))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br $each_row))))

  ;; Adds the upper triangle of dense' * dense, in float64, to $product. The rows from $dense to $dense_end are a multiple of four;
  ;; $doubles is room for four of them in float64.
  (func (export "gram")
    (param $dense i32) (param $dense_end i32) (param $bytes i32) (param $product i32) (param $doubles i32)
    (local $step i32) (local $doubles_end i32) (local $at i32) (local $column i32) (local $sum i32) (local $row_end i32) (local $four v128)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128) (local $at_b i32) (local $at_c i32) (local $at_d i32)
    (local.set $step (i32.shl (local.get $bytes) (i32.const 1)))
    (local.set $row_end (i32.add (local.get $doubles) (local.get $step)))
    (local.set $doubles_end (i32.add (local.get $doubles) (i32.shl (local.get $step) (i32.const 2))))
    (block $done
      (loop $each_four
        (br_if $done (i32.ge_u (local.get $dense) (local.get $dense_end)))
        (local.set $at (local.get $doubles))
        (loop $convert
          (local.set $four (v128.load (local.get $dense)))
          (v128.store (local.get $at) (f64x2.promote_low_f32x4 (local.get $four)))
          (v128.store offset=16
            (local.get $at)
            (f64x2.promote_low_f32x4
              (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $four) (local.get $four))))
          (local.set $dense (i32.add (local.get $dense) (i32.const 16)))
          (local.set $at (i32.add (local.get $at) (i32.const 32)))
          (br_if $convert (i32.lt_u (local.get $at) (local.get $doubles_end))))
        (local.set $column (i32.const 0))
        (loop $each_column
          (local.set $at (i32.add (local.get $doubles) (local.get $column)))
          (local.set $a (v128.load64_splat (local.get $at)))
          (local.set $at (i32.add (local.get $at) (local.get $step)))
          (local.set $b (v128.load64_splat (local.get $at)))
          (local.set $at (i32.add (local.get $at) (local.get $step)))
          (local.set $c (v128.load64_splat (local.get $at)))
          (local.set $d (v128.load64_splat (i32.add (local.get $at) (local.get $step))))
          ;; From the diagonal on, at an even column.
          (local.set $at (i32.add (local.get $doubles) (i32.and (local.get $column) (i32.const -16))))
          (local.set $sum
            (i32.add
              (i32.add (local.get $product) (i32.mul (i32.shr_u (local.get $column) (i32.const 3)) (local.get $step)))
              (i32.and (local.get $column) (i32.const -16))))
          (local.set $at_b (i32.add (local.get $at) (local.get $step)))
          (local.set $at_c (i32.add (local.get $at_b) (local.get $step)))
          (local.set $at_d (i32.add (local.get $at_c) (local.get $step)))
          (loop $each_pair
            (v128.store
              (local.get $sum)
              (f64x2.add
                (v128.load (local.get $sum))
                (f64x2.add
                  (f64x2.add
                    (f64x2.mul (local.get $a) (v128.load (local.get $at)))
                    (f64x2.mul (local.get $b) (v128.load (local.get $at_b))))
                  (f64x2.add
                    (f64x2.mul (local.get $c) (v128.load (local.get $at_c)))
                    (f64x2.mul (local.get $d) (v128.load (local.get $at_d)))))))
            (local.set $sum (i32.add (local.get $sum) (i32.const 16)))
            (local.set $at_b (i32.add (local.get $at_b) (i32.const 16)))
            (local.set $at_c (i32.add (local.get $at_c) (i32.const 16)))
            (local.set $at_d (i32.add (local.get $at_d) (i32.const 16)))
            (br_if $each_pair
              (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 16))) (local.get $row_end))))
          (br_if $each_column
            (i32.lt_u (local.tee $column (i32.add (local.get $column) (i32.const 8))) (local.get $step))))
        (br $each_four))))

  ;; Rows from $dense to $dense_end times a square matrix at $turn, in place. $copy is room for one row. The matrix has nothing below
  ;; its diagonal when $triangular is 1.
  (func (export "turn")
    (param $dense i32) (param $dense_end i32) (param $bytes i32) (param $turn i32) (param $copy i32) (param $triangular i32)
    (local $column i32) (local $to i32) (local $to_end i32) (local $at i32) (local $at_b i32) (local $at_c i32) (local $at_d i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (block $done
      (loop $each_row
        (br_if $done (i32.ge_u (local.get $dense) (local.get $dense_end)))
        (memory.copy (local.get $copy) (local.get $dense) (local.get $bytes))
        (memory.fill (local.get $dense) (i32.const 0) (local.get $bytes))
        (local.set $to_end (i32.add (local.get $dense) (local.get $bytes)))
        (local.set $column (i32.const 0))
        (loop $each_column
          (local.set $at (i32.add (local.get $copy) (local.get $column)))
          (local.set $a (v128.load32_splat (local.get $at)))
          (local.set $b (v128.load32_splat offset=4 (local.get $at)))
          (local.set $c (v128.load32_splat offset=8 (local.get $at)))
          (local.set $d (v128.load32_splat offset=12 (local.get $at)))
          (local.set $to (select (local.get $column) (i32.const 0) (local.get $triangular)))
          (local.set $at
            (i32.add
              (i32.add (local.get $turn) (i32.mul (i32.shr_u (local.get $column) (i32.const 2)) (local.get $bytes)))
              (local.get $to)))
          (local.set $at_b (i32.add (local.get $at) (local.get $bytes)))
          (local.set $at_c (i32.add (local.get $at_b) (local.get $bytes)))
          (local.set $at_d (i32.add (local.get $at_c) (local.get $bytes)))
          (local.set $to (i32.add (local.get $dense) (local.get $to)))
          (loop $each_block
            (v128.store
              (local.get $to)
              (f32x4.add
                (v128.load (local.get $to))
                (f32x4.add
                  (f32x4.add
                    (f32x4.mul (local.get $a) (v128.load (local.get $at)))
                    (f32x4.mul (local.get $b) (v128.load (local.get $at_b))))
                  (f32x4.add
                    (f32x4.mul (local.get $c) (v128.load (local.get $at_c)))
                    (f32x4.mul (local.get $d) (v128.load (local.get $at_d)))))))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (local.set $at_b (i32.add (local.get $at_b) (i32.const 16)))
            (local.set $at_c (i32.add (local.get $at_c) (i32.const 16)))
            (local.set $at_d (i32.add (local.get $at_d) (i32.const 16)))
            (br_if $each_block
              (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 16))) (local.get $to_end))))
          (br_if $each_column
            (i32.lt_u (local.tee $column (i32.add (local.get $column) (i32.const 16))) (local.get $bytes))))
        (local.set $dense (local.get $to_end))
        (br $each_row)))))
