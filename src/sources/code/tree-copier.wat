;; Walks a syntax tree inside the parser's memory and writes its named nodes out, some thousands at a time. Asked from JavaScript each of the
;; seven calls for a node costs more than what it does.
(module
  (import "parser" "memory" (memory 1))
  (import "parser" "ts_tree_cursor_current_node_type_id_wasm" (func $type (param i32) (result i32)))
  (import "parser" "ts_tree_cursor_current_field_id_wasm" (func $field (param i32) (result i32)))
  (import "parser" "ts_tree_cursor_start_index_wasm" (func $start (param i32) (result i32)))
  (import "parser" "ts_tree_cursor_end_index_wasm" (func $end (param i32) (result i32)))
  (import "parser" "ts_tree_cursor_goto_first_child_wasm" (func $firstChild (param i32) (result i32)))
  (import "parser" "ts_tree_cursor_goto_next_sibling_wasm" (func $nextSibling (param i32) (result i32)))
  (import "parser" "ts_tree_cursor_goto_parent_wasm" (func $parent (param i32) (result i32)))
  (import "parser" "calloc" (func $allocate (param i32 i32) (result i32)))

  ;; How many nodes are open around the one that comes next; -1 when there is none.
  (global $depth (mut i32) (i32.const 0))

  ;; Memory for a scanner's state, never of no size: Swift's asks for zero states and reads one all the same. What stood there before made it look
  ;; for the end of a string that never began, through the rest of the file, at every token.
  (func (export "calloc") (param $count i32) (param $size i32) (result i32)
    (call $allocate (i32.add (local.get $count) (i32.eqz (local.get $count))) (local.get $size)))

  (func (export "begin") (global.set $depth (i32.const 0)))
  (func (export "depth") (result i32) (global.get $depth))

  ;; True when one of the ascending numbers is in [from, to).
  (func $anyWithin (param $numbers i32) (param $count i32) (param $from i32) (param $to i32) (result i32)
    (local $low i32) (local $high i32) (local $middle i32)
    (local.set $high (local.get $count))
    (block $found
      (loop $search
        (br_if $found (i32.ge_u (local.get $low) (local.get $high)))
        (local.set $middle (i32.shr_u (i32.add (local.get $low) (local.get $high)) (i32.const 1)))
        (if (i32.lt_u
              (i32.load (i32.add (local.get $numbers) (i32.shl (local.get $middle) (i32.const 2))))
              (local.get $from))
          (then (local.set $low (i32.add (local.get $middle) (i32.const 1))))
          (else (local.set $high (local.get $middle))))
        (br $search)))
    (if (result i32) (i32.lt_u (local.get $low) (local.get $count))
      (then (i32.lt_u
        (i32.load (i32.add (local.get $numbers) (i32.shl (local.get $low) (i32.const 2))))
        (local.get $to)))
      (else (i32.const 0))))

  ;; Writes at most $room nodes to $out, five numbers each: type, field, start, end, depth. Returns how many.
  ;; $kinds: a byte for each type: bit 0 named, bit 1 never entered, bit 2 entered only where a brace is inside.
  (func (export "copy")
    (param $tree i32) (param $out i32) (param $room i32) (param $kinds i32) (param $braces i32) (param $braceCount i32)
    (result i32)
    (local $count i32) (local $typeId i32) (local $kind i32) (local $from i32) (local $to i32) (local $enter i32)
    (loop $visit
      (if (i32.eq (local.get $count) (local.get $room)) (then (return (local.get $count))))
      (local.set $typeId (call $type (local.get $tree)))
      (local.set $kind (i32.load8_u (i32.add (local.get $kinds) (local.get $typeId))))
      (if (i32.and (local.get $kind) (i32.const 1))
        (then
          (local.set $from (call $start (local.get $tree)))
          (local.set $to (call $end (local.get $tree)))
          (i32.store (local.get $out) (local.get $typeId))
          (i32.store offset=4 (local.get $out) (call $field (local.get $tree)))
          (i32.store offset=8 (local.get $out) (local.get $from))
          (i32.store offset=12 (local.get $out) (local.get $to))
          (i32.store offset=16 (local.get $out) (global.get $depth))
          (local.set $out (i32.add (local.get $out) (i32.const 20)))
          (local.set $count (i32.add (local.get $count) (i32.const 1)))
          (local.set $enter (i32.eqz (i32.and (local.get $kind) (i32.const 2))))
          (if (i32.and (local.get $kind) (i32.const 4))
            (then (local.set $enter
              (call $anyWithin (local.get $braces) (local.get $braceCount) (local.get $from) (local.get $to)))))
          (if (local.get $enter)
            (then
              (if (call $firstChild (local.get $tree))
                (then
                  (global.set $depth (i32.add (global.get $depth) (i32.const 1)))
                  (br $visit)))))))
      (loop $leave
        (br_if $visit (call $nextSibling (local.get $tree)))
        (if (i32.eqz (call $parent (local.get $tree)))
          (then
            (global.set $depth (i32.const -1))
            (return (local.get $count))))
        (global.set $depth (i32.sub (global.get $depth) (i32.const 1)))
        (br $leave)))
    (local.get $count)))
