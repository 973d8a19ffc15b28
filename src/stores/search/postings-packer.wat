;; Packs the postings of many items into blocks, and merges blocks of two parts: what postings.ts does for few. A first index packs all of its terms in a process
;; that has just started, where JavaScript is interpreted. scripts/build-kernel.ts turns this into postings-packer-kernel.ts.
;;
;; Below 64 KiB: counters of the sort, the open block's table, weights. JavaScript decides where the rest is. A block in memory has its size before it.
(module
  (memory (export "memory") 2)

  ;; For each digit of the sort: how many, then where.
  (global $counters i32 (i32.const 0))
  ;; The terms of the open block and the ends of their lists.
  (global $table i32 (i32.const 16384))
  ;; For each byte of a packed entry, field and frequency: its weight, as 16 bits.
  (global (export "weights") i32 (i32.const 40000))
  (global (export "free") i32 (i32.const 65536))
  (global $blockBytes i32 (i32.const 8192))

  ;; The open block: how many terms it has, where its lists begin and end. Where the next block goes.
  (global $terms (mut i32) (i32.const 0))
  (global $lists (mut i32) (i32.const 0))
  (global $end (mut i32) (i32.const 0))
  (global $out (mut i32) (i32.const 0))

  ;; Reads packed terms into records of 64 bits: term, index of the item, frequency. $ends: for each item, where its terms end. Returns where the records end.
  (func (export "read") (param $terms i32) (param $ends i32) (param $count i32) (param $records i32) (result i32)
    (local $index i32) (local $end i32) (local $term i32) (local $frequency i32)
    (block $done
      (loop $items
        (br_if $done (i32.ge_u (local.get $index) (local.get $count)))
        (local.set $end (i32.load (i32.add (local.get $ends) (i32.shl (local.get $index) (i32.const 2)))))
        (block $read
          (loop $each
            (br_if $read (i32.ge_u (local.get $terms) (local.get $end)))
            (local.set $term (i32.load (local.get $terms)))
            (local.set $frequency (i32.const 0))
            (block $counted
              (loop $fields
                (local.set $frequency
                  (i32.add
                    (local.get $frequency)
                    (i32.load16_u offset=40000 (i32.shl (i32.load8_u offset=4 (local.get $terms)) (i32.const 1)))))
                (local.set $terms (i32.add (local.get $terms) (i32.const 5)))
                (br_if $counted (i32.ge_u (local.get $terms) (local.get $end)))
                (br_if $fields (i32.eq (i32.load (local.get $terms)) (local.get $term)))))
            (if (i32.gt_u (local.get $frequency) (i32.const 255)) (then (local.set $frequency (i32.const 255))))
            (i32.store offset=4 (local.get $records) (local.get $term))
            (i32.store
              (local.get $records)
              (i32.or (i32.shl (local.get $index) (i32.const 8)) (local.get $frequency)))
            (local.set $records (i32.add (local.get $records) (i32.const 8)))
            (br $each)))
        (local.set $index (i32.add (local.get $index) (i32.const 1)))
        (br $items)))
    (local.get $records))

  ;; One pass of a radix sort by 11 bits of the term, stable.
  (func $sortBy (param $shift i32) (param $from i32) (param $end i32) (param $to i32)
    (local $at i32) (local $place i32) (local $sum i32) (local $count i32)
    (memory.fill (global.get $counters) (i32.const 0) (i32.const 8192))
    (local.set $at (local.get $from))
    (block $counted
      (loop $each
        (br_if $counted (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $place
          (i32.shl
            (i32.and (i32.shr_u (i32.load offset=4 (local.get $at)) (local.get $shift)) (i32.const 2047))
            (i32.const 2)))
        (i32.store (local.get $place) (i32.add (i32.load (local.get $place)) (i32.const 1)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $each)))
    (local.set $place (i32.const 0))
    (local.set $sum (local.get $to))
    (loop $places
      (local.set $count (i32.load (local.get $place)))
      (i32.store (local.get $place) (local.get $sum))
      (local.set $sum (i32.add (local.get $sum) (i32.shl (local.get $count) (i32.const 3))))
      (local.set $place (i32.add (local.get $place) (i32.const 4)))
      (br_if $places (i32.lt_u (local.get $place) (i32.const 8192))))
    (local.set $at (local.get $from))
    (block $moved
      (loop $each
        (br_if $moved (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $place
          (i32.shl
            (i32.and (i32.shr_u (i32.load offset=4 (local.get $at)) (local.get $shift)) (i32.const 2047))
            (i32.const 2)))
        (local.set $sum (i32.load (local.get $place)))
        (i64.store (local.get $sum) (i64.load (local.get $at)))
        (i32.store (local.get $place) (i32.add (local.get $sum) (i32.const 8)))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $each))))

  ;; Blocks

  (func $begin (param $lists i32) (param $out i32)
    (global.set $terms (i32.const 0))
    (global.set $lists (local.get $lists))
    (global.set $end (local.get $lists))
    (global.set $out (local.get $out)))

  (func $flush
    (local $tableBytes i32) (local $listBytes i32)
    (if (i32.eqz (global.get $terms)) (then (return)))
    (local.set $tableBytes (i32.shl (global.get $terms) (i32.const 3)))
    (local.set $listBytes (i32.sub (global.get $end) (global.get $lists)))
    (i32.store
      (global.get $out)
      (i32.add (i32.add (local.get $tableBytes) (local.get $listBytes)) (i32.const 4)))
    (i32.store offset=4 (global.get $out) (global.get $terms))
    (global.set $out (i32.add (global.get $out) (i32.const 8)))
    (memory.copy (global.get $out) (global.get $table) (local.get $tableBytes))
    (global.set $out (i32.add (global.get $out) (local.get $tableBytes)))
    (memory.copy (global.get $out) (global.get $lists) (local.get $listBytes))
    (global.set $out (i32.add (global.get $out) (local.get $listBytes)))
    (global.set $terms (i32.const 0))
    (global.set $end (global.get $lists)))

  ;; Closes the list that was written last; and its block, when it is full.
  (func $closeList (param $term i32)
    (local $entry i32)
    (local.set $entry (i32.add (global.get $table) (i32.shl (global.get $terms) (i32.const 3))))
    (i32.store (local.get $entry) (local.get $term))
    (i32.store offset=4 (local.get $entry) (i32.sub (global.get $end) (global.get $lists)))
    (global.set $terms (i32.add (global.get $terms) (i32.const 1)))
    (if (i32.ge_u
          (i32.add (i32.sub (global.get $end) (global.get $lists)) (i32.shl (global.get $terms) (i32.const 3)))
          (global.get $blockBytes))
      (then (call $flush))))

  (func $putByte (param $byte i32)
    (i32.store8 (global.get $end) (local.get $byte))
    (global.set $end (i32.add (global.get $end) (i32.const 1))))

  (func $putPosting (param $distance i32) (param $frequency i32)
    (block $done
      (loop $each
        (br_if $done (i32.le_u (local.get $distance) (i32.const 127)))
        (call $putByte (i32.or (i32.and (local.get $distance) (i32.const 127)) (i32.const 128)))
        (local.set $distance (i32.shr_u (local.get $distance) (i32.const 7)))
        (br $each)))
    (call $putByte (local.get $distance))
    (call $putByte (local.get $frequency)))

  (func $putBytes (param $from i32) (param $to i32)
    (memory.copy (global.get $end) (local.get $from) (i32.sub (local.get $to) (local.get $from)))
    (global.set $end (i32.add (global.get $end) (i32.sub (local.get $to) (local.get $from)))))

  ;; Sorts the records and packs them into blocks at $out; returns where those end. $numbers: of the items. $spare: as large as the records.
  (func (export "pack") (param $records i32) (param $recordsEnd i32) (param $spare i32) (param $numbers i32) (param $out i32) (result i32)
    (local $size i32) (local $end i32) (local $term i32) (local $last i32) (local $number i32) (local $low i32)
    (local.set $size (i32.sub (local.get $recordsEnd) (local.get $records)))
    (local.set $end (i32.add (local.get $spare) (local.get $size)))
    (call $sortBy (i32.const 0) (local.get $records) (local.get $recordsEnd) (local.get $spare))
    (call $sortBy (i32.const 11) (local.get $spare) (local.get $end) (local.get $records))
    (call $sortBy (i32.const 22) (local.get $records) (local.get $recordsEnd) (local.get $spare))
    ;; The records are in $spare now; where they were, lists are written.
    (call $begin (local.get $records) (local.get $out))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $spare) (local.get $end)))
        (local.set $term (i32.load offset=4 (local.get $spare)))
        (local.set $last (i32.const 0))
        (block $closed
          (loop $items
            (local.set $low (i32.load (local.get $spare)))
            (local.set $number
              (i32.load (i32.add (local.get $numbers) (i32.shl (i32.shr_u (local.get $low) (i32.const 8)) (i32.const 2)))))
            (call $putPosting (i32.sub (local.get $number) (local.get $last)) (i32.and (local.get $low) (i32.const 255)))
            (local.set $last (local.get $number))
            (local.set $spare (i32.add (local.get $spare) (i32.const 8)))
            (br_if $closed (i32.ge_u (local.get $spare) (local.get $end)))
            (br_if $items (i32.eq (i32.load offset=4 (local.get $spare)) (local.get $term)))))
        (call $closeList (local.get $term))
        (br $each)))
    (call $flush)
    (global.get $out))

  ;; Merging. A side stands at a list: its block, the index of the list there.

  (func $listStart (param $block i32) (param $index i32) (result i32)
    (i32.add
      (i32.add (local.get $block) (i32.add (i32.shl (i32.load offset=4 (local.get $block)) (i32.const 3)) (i32.const 8)))
      (if (result i32) (local.get $index)
        (then (i32.load offset=4 (i32.add (local.get $block) (i32.shl (local.get $index) (i32.const 3)))))
        (else (i32.const 0)))))

  (func $termAt (param $block i32) (param $index i32) (result i32)
    (i32.load offset=8 (i32.add (local.get $block) (i32.shl (local.get $index) (i32.const 3)))))

  ;; The last item of a packed list.
  (func $lastNumber (param $at i32) (param $end i32) (result i32)
    (local $number i32) (local $shift i32) (local $byte i32)
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $shift (i32.const 0))
        (loop $digits
          (local.set $byte (i32.load8_u (local.get $at)))
          (local.set $number
            (i32.add (local.get $number) (i32.shl (i32.and (local.get $byte) (i32.const 127)) (local.get $shift))))
          (local.set $shift (i32.add (local.get $shift) (i32.const 7)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $digits (i32.gt_u (local.get $byte) (i32.const 127))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each)))
    (local.get $number))

  ;; Copies a newer list behind an older one that ended with $last: its first number follows that.
  (func $putNewer (param $at i32) (param $end i32) (param $last i32)
    (local $number i32) (local $shift i32) (local $byte i32)
    (loop $digits
      (local.set $byte (i32.load8_u (local.get $at)))
      (local.set $number
        (i32.add (local.get $number) (i32.shl (i32.and (local.get $byte) (i32.const 127)) (local.get $shift))))
      (local.set $shift (i32.add (local.get $shift) (i32.const 7)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $digits (i32.gt_u (local.get $byte) (i32.const 127))))
    (call $putPosting (i32.sub (local.get $number) (local.get $last)) (i32.load8_u (local.get $at)))
    (call $putBytes (i32.add (local.get $at) (i32.const 1)) (local.get $end)))

  ;; Merges the blocks of an older and a newer part to $out; returns where those end. $lists: room for the largest block.
  (func (export "merge")
    (param $older i32) (param $olderEnd i32) (param $newer i32) (param $newerEnd i32) (param $lists i32) (param $out i32) (result i32)
    (local $a i32) (local $b i32) (local $termA i32) (local $termB i32) (local $hasA i32) (local $hasB i32)
    (local $useA i32) (local $useB i32) (local $start i32) (local $end i32)
    (call $begin (local.get $lists) (local.get $out))
    (block $done
      (loop $each
        (local.set $hasA (i32.lt_u (local.get $older) (local.get $olderEnd)))
        (local.set $hasB (i32.lt_u (local.get $newer) (local.get $newerEnd)))
        (br_if $done (i32.eqz (i32.or (local.get $hasA) (local.get $hasB))))
        (if (local.get $hasA) (then (local.set $termA (call $termAt (local.get $older) (local.get $a)))))
        (if (local.get $hasB) (then (local.set $termB (call $termAt (local.get $newer) (local.get $b)))))
        (local.set $useA
          (i32.and
            (local.get $hasA)
            (i32.or (i32.eqz (local.get $hasB)) (i32.le_u (local.get $termA) (local.get $termB)))))
        (local.set $useB
          (i32.and
            (local.get $hasB)
            (i32.or (i32.eqz (local.get $hasA)) (i32.le_u (local.get $termB) (local.get $termA)))))
        (if (local.get $useA)
          (then
            (local.set $start (call $listStart (local.get $older) (local.get $a)))
            (local.set $a (i32.add (local.get $a) (i32.const 1)))
            (local.set $end (call $listStart (local.get $older) (local.get $a)))
            (call $putBytes (local.get $start) (local.get $end))
            (if (local.get $useB) (then (local.set $start (call $lastNumber (local.get $start) (local.get $end)))))
            (if (i32.eq (local.get $a) (i32.load offset=4 (local.get $older)))
              (then
                (local.set $a (i32.const 0))
                (local.set $older (i32.add (i32.add (local.get $older) (i32.load (local.get $older))) (i32.const 4)))))))
        (if (local.get $useB)
          (then
            (local.set $end (call $listStart (local.get $newer) (i32.add (local.get $b) (i32.const 1))))
            (if (local.get $useA)
              (then (call $putNewer (call $listStart (local.get $newer) (local.get $b)) (local.get $end) (local.get $start)))
              (else (call $putBytes (call $listStart (local.get $newer) (local.get $b)) (local.get $end))))
            (local.set $b (i32.add (local.get $b) (i32.const 1)))
            (if (i32.eq (local.get $b) (i32.load offset=4 (local.get $newer)))
              (then
                (local.set $b (i32.const 0))
                (local.set $newer (i32.add (i32.add (local.get $newer) (i32.load (local.get $newer))) (i32.const 4)))))))
        (call $closeList (if (result i32) (local.get $useA) (then (local.get $termA)) (else (local.get $termB))))
        (br $each)))
    (call $flush)
    (global.get $out)))
