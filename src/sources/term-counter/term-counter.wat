;; Reads ASCII text into terms and counts them, exactly as text/analysis does. A thread that has just started interprets JavaScript: reading terms there took
;; a sixth of the time of describing a small repository more. scripts/build-kernel.ts turns this into kernel.ts.
;;
;; Memory: tables and buffers of fixed size, the cache of words, then regions whose place JavaScript decides for each file (see "place").
(module
  (memory (export "memory") 65)

  ;; For each byte: 1 a character of words, 2 one that joins two words, 0 neither.
  (global $kinds i32 (i32.const 256))
  ;; For each frequency up to 255: its step in a packed entry.
  (global $steps i32 (i32.const 512))
  ;; The part that is stemmed, in lower case.
  (global $part i32 (i32.const 768))
  ;; A whole name, cleaned.
  (global $whole i32 (i32.const 1024))
  ;; A name without its apostrophes.
  (global $compact i32 (i32.const 1536))
  ;; Starts and ends of the parts of a name.
  (global $parts i32 (i32.const 2048))
  ;; Stop words: 512 addresses of words, by hash. A word in a table is its length, then its bytes.
  (global $stops i32 (i32.const 4096))
  ;; Where JavaScript writes the words and endings; up to 65536.
  (global (export "tables") i32 (i32.const 8192))
  ;; The cache: 65536 slots of 16 bytes (hash, address of the word, its length, address of its terms: a number, then hashes).
  (global $slots i32 (i32.const 65536))
  (global $slotsEnd i32 (i32.const 1114112))
  (global $arena i32 (i32.const 1114112))
  (global $arenaEnd i32 (i32.const 4259840))
  (global (export "free") i32 (i32.const 4259840))
  (global $mostWords i32 (i32.const 40000))
  (global $longestWord i32 (i32.const 100))
  (global $longestName i32 (i32.const 200))
  (global $longestTerm i32 (i32.const 64))

  (global $words (mut i32) (i32.const 0))
  (global $next (mut i32) (i32.const 1114112))

  ;; Endings of the stemmer's steps, and its exceptions.
  (global $step2 (mut i32) (i32.const 0))
  (global $step3 (mut i32) (i32.const 0))
  (global $step4 (mut i32) (i32.const 0))
  (global $irregular (mut i32) (i32.const 0))
  (global $kept (mut i32) (i32.const 0))

  ;; Regions: occurrences of the item's terms, of the file's, of the path's, room for sorting, and how long each may grow.
  (global $item (mut i32) (i32.const 0))
  (global $file (mut i32) (i32.const 0))
  (global $path (mut i32) (i32.const 0))
  (global $spare (mut i32) (i32.const 0))
  (global $itemEnd (mut i32) (i32.const 0))
  (global $fileEnd (mut i32) (i32.const 0))
  (global $pathEnd (mut i32) (i32.const 0))
  (global $room (mut i32) (i32.const 0))

  ;; Where the terms of the word at hand go: to the cache, or at once to the lists.
  (global $isDirect (mut i32) (i32.const 0))
  (global $out (mut i32) (i32.const 0))
  (global $field (mut i64) (i64.const 0))
  (global $toFile (mut i32) (i32.const 0))

  (global $length (mut i32) (i32.const 0))
  (global $r2 (mut i32) (i32.const 0))
  (global $wholeLength (mut i32) (i32.const 0))
  (global $wholeKept (mut i32) (i32.const 0))

  (func (export "setTables")
    (param $two i32) (param $three i32) (param $four i32) (param $irregularWords i32) (param $keptWords i32)
    (global.set $step2 (local.get $two))
    (global.set $step3 (local.get $three))
    (global.set $step4 (local.get $four))
    (global.set $irregular (local.get $irregularWords))
    (global.set $kept (local.get $keptWords)))

  ;; FNV-1a, then mixed, as hashTerm in text/hash.ts.
  (func $hash (param $at i32) (param $size i32) (result i32)
    (local $value i32) (local $end i32)
    (local.set $value (i32.const 0x811c9dc5))
    (local.set $end (i32.add (local.get $at) (local.get $size)))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $value
          (i32.mul (i32.xor (local.get $value) (i32.load8_u (local.get $at))) (i32.const 0x01000193)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each)))
    (local.set $value (i32.xor (local.get $value) (i32.shr_u (local.get $value) (i32.const 15))))
    (local.set $value (i32.mul (local.get $value) (i32.const 0x2c1b3c6d)))
    (i32.xor (local.get $value) (i32.shr_u (local.get $value) (i32.const 12))))

  (func $same (param $one i32) (param $other i32) (param $size i32) (result i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $one) (local.get $size)))
    (loop $each
      (if (i32.ge_u (local.get $one) (local.get $end)) (then (return (i32.const 1))))
      (if (i32.ne (i32.load8_u (local.get $one)) (i32.load8_u (local.get $other))) (then (return (i32.const 0))))
      (local.set $one (i32.add (local.get $one) (i32.const 1)))
      (local.set $other (i32.add (local.get $other) (i32.const 1)))
      (br $each))
    (unreachable))

  ;; Stop words

  ;; The slot of a word: its own, or the empty one where it would be.
  (func $stopSlot (param $at i32) (param $size i32) (result i32)
    (local $slot i32) (local $address i32)
    (local.set $slot (i32.and (call $hash (local.get $at) (local.get $size)) (i32.const 511)))
    (loop $probe
      (local.set $address (i32.load (i32.add (global.get $stops) (i32.shl (local.get $slot) (i32.const 2)))))
      (if (i32.eqz (local.get $address))
        (then (return (i32.add (global.get $stops) (i32.shl (local.get $slot) (i32.const 2))))))
      (if (i32.eq (i32.load8_u (local.get $address)) (local.get $size))
        (then
          (if (call $same (i32.add (local.get $address) (i32.const 1)) (local.get $at) (local.get $size))
            (then (return (i32.add (global.get $stops) (i32.shl (local.get $slot) (i32.const 2))))))))
      (local.set $slot (i32.and (i32.add (local.get $slot) (i32.const 1)) (i32.const 511)))
      (br $probe))
    (unreachable))

  (func (export "addStopWord") (param $address i32)
    (i32.store
      (call $stopSlot (i32.add (local.get $address) (i32.const 1)) (i32.load8_u (local.get $address)))
      (local.get $address)))

  ;; Stemming, of the part at hand: $part, $length. See text/analysis/stem.ts.

  (func $at (param $index i32) (result i32)
    (i32.load8_u (i32.add (global.get $part) (local.get $index))))

  ;; The character so many places before the end; 0 where there is none.
  (func $last (param $back i32) (result i32)
    (if (result i32) (i32.gt_u (local.get $back) (global.get $length))
      (then (i32.const 0))
      (else (call $at (i32.sub (global.get $length) (local.get $back))))))

  ;; a, e, i, o, u and y as bits of one number.
  (func $isVowel (param $letter i32) (result i32)
    (local $index i32)
    (local.set $index (i32.sub (local.get $letter) (i32.const 97)))
    (i32.and
      (i32.lt_u (local.get $index) (i32.const 26))
      (i32.and (i32.shr_u (i32.const 0x1104111) (local.get $index)) (i32.const 1))))

  ;; Whether a vowel is among the first $count characters.
  (func $hasVowel (param $count i32) (result i32)
    (local $index i32)
    (loop $each
      (if (i32.ge_s (local.get $index) (local.get $count)) (then (return (i32.const 0))))
      (if (call $isVowel (call $at (local.get $index))) (then (return (i32.const 1))))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (br $each))
    (unreachable))

  (func $region (param $from i32) (result i32)
    (local $index i32)
    (local.set $index (i32.add (local.get $from) (i32.const 1)))
    (loop $each
      (if (i32.ge_u (local.get $index) (global.get $length)) (then (return (global.get $length))))
      (if (i32.and
            (i32.eqz (call $isVowel (call $at (local.get $index))))
            (call $isVowel (call $at (i32.sub (local.get $index) (i32.const 1)))))
        (then (return (i32.add (local.get $index) (i32.const 1)))))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (br $each))
    (unreachable))

  (func $endsWith (param $ending i32) (param $size i32) (result i32)
    (if (i32.gt_u (local.get $size) (global.get $length)) (then (return (i32.const 0))))
    (call $same
      (local.get $ending)
      (i32.add (global.get $part) (i32.sub (global.get $length) (local.get $size)))
      (local.get $size)))

  ;; The part's place in a list of words that ends with a zero; 0 when it is not there. In a list of pairs, only the first of each pair is compared.
  (func $listed (param $list i32) (param $isPairs i32) (result i32)
    (local $size i32)
    (loop $each
      (local.set $size (i32.load8_u (local.get $list)))
      (if (i32.eqz (local.get $size)) (then (return (i32.const 0))))
      (if (i32.eq (local.get $size) (global.get $length))
        (then
          (if (call $same (i32.add (local.get $list) (i32.const 1)) (global.get $part) (local.get $size))
            (then (return (local.get $list))))))
      (local.set $list (i32.add (i32.add (local.get $list) (local.get $size)) (i32.const 1)))
      (if (local.get $isPairs)
        (then
          (local.set $list (i32.add (i32.add (local.get $list) (i32.load8_u (local.get $list))) (i32.const 1)))))
      (br $each))
    (unreachable))

  (func $endsShort (param $size i32) (result i32)
    (local $one i32) (local $two i32) (local $three i32)
    (if (i32.lt_u (local.get $size) (i32.const 2)) (then (return (i32.const 0))))
    (local.set $three (call $at (i32.sub (local.get $size) (i32.const 1))))
    (local.set $two (call $at (i32.sub (local.get $size) (i32.const 2))))
    (if (i32.eq (local.get $size) (i32.const 2))
      (then (return (i32.and (call $isVowel (local.get $two)) (i32.eqz (call $isVowel (local.get $three)))))))
    (local.set $one (call $at (i32.sub (local.get $size) (i32.const 3))))
    (if (i32.or (call $isVowel (local.get $one)) (i32.eqz (call $isVowel (local.get $two))))
      (then (return (i32.const 0))))
    ;; Neither a vowel nor w, x, Y.
    (i32.eqz
      (i32.or
        (call $isVowel (local.get $three))
        (i32.or
          (i32.or (i32.eq (local.get $three) (i32.const 119)) (i32.eq (local.get $three) (i32.const 120)))
          (i32.eq (local.get $three) (i32.const 89))))))

  (func $append (param $letter i32)
    (i32.store8 (i32.add (global.get $part) (global.get $length)) (local.get $letter))
    (global.set $length (i32.add (global.get $length) (i32.const 1))))

  ;; Applies the first ending of a table that the word has, where it lies behind $region. An entry: its size, the size of what replaces it, a rule, then both.
  ;; Rules: 0 always; 1 after an l, and only its last letter; 2 after one of the letters that may stand before "li"; 3 behind the second region; 4 after s or t.
  (func $step (param $table i32) (param $region i32)
    (local $size i32) (local $newSize i32) (local $rule i32) (local $place i32) (local $before i32)
    (loop $each
      (local.set $size (i32.load8_u (local.get $table)))
      (if (i32.eqz (local.get $size)) (then (return)))
      (local.set $newSize (i32.load8_u offset=1 (local.get $table)))
      (local.set $rule (i32.load8_u offset=2 (local.get $table)))
      (local.set $table (i32.add (local.get $table) (i32.const 3)))
      (if (call $endsWith (local.get $table) (local.get $size))
        (then
          (local.set $place (i32.sub (global.get $length) (local.get $size)))
          (if (i32.lt_u (local.get $place) (local.get $region)) (then (return)))
          (local.set $before (call $last (i32.add (local.get $size) (i32.const 1))))
          (if (i32.eq (local.get $rule) (i32.const 1))
            (then
              (if (i32.eq (local.get $before) (i32.const 108))
                (then (global.set $length (i32.sub (global.get $length) (i32.const 1)))))
              (return)))
          (if (i32.eq (local.get $rule) (i32.const 2))
            (then
              ;; c d e g h k m n r t
              (local.set $before (i32.sub (local.get $before) (i32.const 97)))
              (if (i32.lt_u (local.get $before) (i32.const 26))
                (then
                  (if (i32.and (i32.shr_u (i32.const 0xa34dc) (local.get $before)) (i32.const 1))
                    (then (global.set $length (local.get $place))))))
              (return)))
          (if (i32.and (i32.eq (local.get $rule) (i32.const 3)) (i32.lt_u (local.get $place) (global.get $r2)))
            (then (return)))
          (if (i32.and
                (i32.eq (local.get $rule) (i32.const 4))
                (i32.eqz (i32.or (i32.eq (local.get $before) (i32.const 115)) (i32.eq (local.get $before) (i32.const 116)))))
            (then (return)))
          (memory.copy
            (i32.add (global.get $part) (local.get $place))
            (i32.add (local.get $table) (local.get $size))
            (local.get $newSize))
          (global.set $length (i32.add (local.get $place) (local.get $newSize)))
          (return)))
      (local.set $table (i32.add (local.get $table) (i32.add (local.get $size) (local.get $newSize))))
      (br $each)))

  ;; y at the start, and after a vowel, is a consonant: Y.
  (func $markConsonants
    (local $index i32)
    (if (i32.eq (call $at (i32.const 0)) (i32.const 121)) (then (i32.store8 (global.get $part) (i32.const 89))))
    (local.set $index (i32.const 1))
    (loop $each
      (if (i32.ge_u (local.get $index) (global.get $length)) (then (return)))
      (if (i32.and
            (i32.eq (call $at (local.get $index)) (i32.const 121))
            (call $isVowel (call $at (i32.sub (local.get $index) (i32.const 1)))))
        (then
          (i32.store8 (i32.add (global.get $part) (local.get $index)) (i32.const 89))
          (local.set $index (i32.add (local.get $index) (i32.const 1)))))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (br $each)))

  ;; Whether the last two letters are these, as one number of 16 bits.
  (func $endsWithPair (param $pair i32) (result i32)
    (if (i32.lt_u (global.get $length) (i32.const 2)) (then (return (i32.const 0))))
    (i32.eq
      (i32.load16_u (i32.add (global.get $part) (i32.sub (global.get $length) (i32.const 2))))
      (local.get $pair)))

  ;; Plurals: sses, ied, ies, s.
  (func $step1a
    (local $one i32) (local $two i32) (local $three i32)
    (local.set $one (call $last (i32.const 1)))
    (local.set $two (call $last (i32.const 2)))
    (local.set $three (call $last (i32.const 3)))
    (if (i32.and
          (i32.and (i32.eq (local.get $one) (i32.const 115)) (i32.eq (local.get $two) (i32.const 101)))
          (i32.and (i32.eq (local.get $three) (i32.const 115)) (i32.eq (call $last (i32.const 4)) (i32.const 115))))
      (then (global.set $length (i32.sub (global.get $length) (i32.const 2))) (return)))
    (if (i32.and
          (i32.or (i32.eq (local.get $one) (i32.const 115)) (i32.eq (local.get $one) (i32.const 100)))
          (i32.and (i32.eq (local.get $two) (i32.const 101)) (i32.eq (local.get $three) (i32.const 105))))
      (then
        (global.set $length
          (i32.sub (global.get $length) (i32.add (i32.const 1) (i32.gt_u (global.get $length) (i32.const 4)))))
        (return)))
    (if (i32.and
          (i32.eq (local.get $one) (i32.const 115))
          (i32.eqz (i32.or (i32.eq (local.get $two) (i32.const 117)) (i32.eq (local.get $two) (i32.const 115)))))
      (then
        (if (call $hasVowel (i32.sub (global.get $length) (i32.const 2)))
          (then (global.set $length (i32.sub (global.get $length) (i32.const 1))))))))

  ;; The size of eed or eedly (first) and of ed, edly, ing or ingly (second) at the end; 0 for none.
  (func $endingOfEed (result i32)
    (local $cut i32)
    (if (call $endsWithPair (i32.const 0x796c)) (then (local.set $cut (i32.const 2))))
    (if (result i32)
      (i32.and
        (i32.eq (call $last (i32.add (local.get $cut) (i32.const 1))) (i32.const 100))
        (i32.and
          (i32.eq (call $last (i32.add (local.get $cut) (i32.const 2))) (i32.const 101))
          (i32.eq (call $last (i32.add (local.get $cut) (i32.const 3))) (i32.const 101))))
      (then (i32.add (local.get $cut) (i32.const 3)))
      (else (i32.const 0))))

  (func $endingOfEdOrIng (result i32)
    (local $cut i32)
    (if (call $endsWithPair (i32.const 0x796c)) (then (local.set $cut (i32.const 2))))
    (if (i32.and
          (i32.eq (call $last (i32.add (local.get $cut) (i32.const 1))) (i32.const 100))
          (i32.eq (call $last (i32.add (local.get $cut) (i32.const 2))) (i32.const 101)))
      (then (return (i32.add (local.get $cut) (i32.const 2)))))
    (if (result i32)
      (i32.and
        (i32.eq (call $last (i32.add (local.get $cut) (i32.const 1))) (i32.const 103))
        (i32.and
          (i32.eq (call $last (i32.add (local.get $cut) (i32.const 2))) (i32.const 110))
          (i32.eq (call $last (i32.add (local.get $cut) (i32.const 3))) (i32.const 105))))
      (then (i32.add (local.get $cut) (i32.const 3)))
      (else (i32.const 0))))

  (func $step1b (param $r1 i32)
    (local $size i32) (local $last i32)
    (local.set $size (call $endingOfEed))
    (if (local.get $size)
      (then
        (if (i32.ge_u (i32.sub (global.get $length) (local.get $size)) (local.get $r1))
          (then
            (global.set $length (i32.sub (global.get $length) (local.get $size)))
            (call $append (i32.const 101))
            (call $append (i32.const 101))))
        (return)))
    (local.set $size (call $endingOfEdOrIng))
    (if (i32.eqz (local.get $size)) (then (return)))
    (if (i32.eqz (call $hasVowel (i32.sub (global.get $length) (local.get $size)))) (then (return)))
    (global.set $length (i32.sub (global.get $length) (local.get $size)))
    ;; at, bl, iz
    (if (i32.or
          (call $endsWithPair (i32.const 0x7461))
          (i32.or (call $endsWithPair (i32.const 0x6c62)) (call $endsWithPair (i32.const 0x7a69))))
      (then (call $append (i32.const 101)) (return)))
    (local.set $last (call $last (i32.const 1)))
    (if (i32.and
          (i32.eq (local.get $last) (call $last (i32.const 2)))
          (i32.lt_u (i32.sub (local.get $last) (i32.const 97)) (i32.const 26)))
      (then
        ;; b d f g m n p r t
        (if (i32.and (i32.shr_u (i32.const 0xab06a) (i32.sub (local.get $last) (i32.const 97))) (i32.const 1))
          (then (global.set $length (i32.sub (global.get $length) (i32.const 1))) (return)))))
    (if (i32.ge_u (local.get $r1) (global.get $length))
      (then (if (call $endsShort (global.get $length)) (then (call $append (i32.const 101)))))))

  ;; y after a consonant becomes i.
  (func $step1c
    (if (i32.le_u (global.get $length) (i32.const 2)) (then (return)))
    (if (i32.and
          (i32.eq (i32.or (call $last (i32.const 1)) (i32.const 32)) (i32.const 121))
          (i32.eqz (call $isVowel (call $last (i32.const 2)))))
      (then (i32.store8 (i32.add (global.get $part) (i32.sub (global.get $length) (i32.const 1))) (i32.const 105)))))

  (func $lastStep (param $r1 i32)
    (local $place i32)
    (local.set $place (i32.sub (global.get $length) (i32.const 1)))
    (if (i32.eq (call $last (i32.const 1)) (i32.const 101))
      (then
        (if (i32.ge_u (local.get $place) (global.get $r2))
          (then (global.set $length (local.get $place)))
          (else
            (if (i32.ge_u (local.get $place) (local.get $r1))
              (then
                (if (i32.eqz (call $endsShort (local.get $place))) (then (global.set $length (local.get $place))))))))
        (return)))
    (if (i32.and (call $endsWithPair (i32.const 0x6c6c)) (i32.ge_u (local.get $place) (global.get $r2)))
      (then (global.set $length (local.get $place)))))

  ;; Whether the part begins with gener, commun or arsen: how long that is, else 0.
  (func $startsSpecially (result i32)
    (local $letter i32)
    (local.set $letter (call $at (i32.const 0)))
    (if (i32.and (i32.eq (local.get $letter) (i32.const 103)) (i32.ge_u (global.get $length) (i32.const 5)))
      (then (if (i32.and (i32.eq (i32.load (global.get $part)) (i32.const 0x656e6567)) (i32.eq (call $at (i32.const 4)) (i32.const 114)))
        (then (return (i32.const 5))))))
    (if (i32.and (i32.eq (local.get $letter) (i32.const 97)) (i32.ge_u (global.get $length) (i32.const 5)))
      (then (if (i32.and (i32.eq (i32.load (global.get $part)) (i32.const 0x65737261)) (i32.eq (call $at (i32.const 4)) (i32.const 110)))
        (then (return (i32.const 5))))))
    (if (i32.and (i32.eq (local.get $letter) (i32.const 99)) (i32.ge_u (global.get $length) (i32.const 6)))
      (then (if (i32.and
                  (i32.eq (i32.load (global.get $part)) (i32.const 0x6d6d6f63))
                  (i32.eq (i32.load16_u offset=4 (global.get $part)) (i32.const 0x6e75)))
        (then (return (i32.const 6))))))
    (i32.const 0))

  (func $stem
    (local $r1 i32) (local $index i32) (local $word i32)
    (if (i32.lt_u (global.get $length) (i32.const 3)) (then (return)))
    ;; A part is all letters or all digits.
    (if (i32.lt_u (call $at (i32.const 0)) (i32.const 97)) (then (return)))
    (local.set $word (call $listed (global.get $irregular) (i32.const 1)))
    (if (local.get $word)
      (then
        ;; Its stem follows it.
        (local.set $word (i32.add (i32.add (local.get $word) (i32.load8_u (local.get $word))) (i32.const 1)))
        (global.set $length (i32.load8_u (local.get $word)))
        (memory.copy (global.get $part) (i32.add (local.get $word) (i32.const 1)) (global.get $length))
        (return)))
    (call $markConsonants)
    (local.set $r1 (call $startsSpecially))
    (if (i32.eqz (local.get $r1)) (then (local.set $r1 (call $region (i32.const 0)))))
    (global.set $r2 (call $region (local.get $r1)))
    (call $step1a)
    (if (call $listed (global.get $kept) (i32.const 0)) (then (return)))
    (call $step1b (local.get $r1))
    (call $step1c)
    (call $step (global.get $step2) (local.get $r1))
    (call $step (global.get $step3) (local.get $r1))
    (call $step (global.get $step4) (global.get $r2))
    (call $lastStep (local.get $r1))
    (loop $each
      (if (i32.lt_u (local.get $index) (global.get $length))
        (then
          (if (i32.eq (call $at (local.get $index)) (i32.const 89))
            (then (i32.store8 (i32.add (global.get $part) (local.get $index)) (i32.const 121))))
          (local.set $index (i32.add (local.get $index) (i32.const 1)))
          (br $each)))))

  ;; Words to terms. See text/analysis/analyse.ts.

  (func $put (param $hash i32)
    (local $key i64)
    (local.set $key (i64.or (i64.shl (i64.extend_i32_u (local.get $hash)) (i64.const 3)) (global.get $field)))
    (i64.store (global.get $itemEnd) (local.get $key))
    (global.set $itemEnd (i32.add (global.get $itemEnd) (i32.const 8)))
    (if (global.get $toFile)
      (then
        (i64.store (global.get $fileEnd) (local.get $key))
        (global.set $fileEnd (i32.add (global.get $fileEnd) (i32.const 8))))))

  (func $emit (param $hash i32)
    (if (global.get $isDirect)
      (then (call $put (local.get $hash)))
      (else
        (i32.store (global.get $out) (local.get $hash))
        (global.set $out (i32.add (global.get $out) (i32.const 4))))))

  (func $isUpper (param $letter i32) (result i32)
    (i32.lt_u (i32.sub (local.get $letter) (i32.const 65)) (i32.const 26)))
  (func $isLower (param $letter i32) (result i32)
    (i32.lt_u (i32.sub (local.get $letter) (i32.const 97)) (i32.const 26)))
  (func $isDigit (param $letter i32) (result i32)
    (i32.lt_u (i32.sub (local.get $letter) (i32.const 48)) (i32.const 10)))
  (func $lower (param $letter i32) (result i32)
    (i32.or (local.get $letter) (i32.shl (call $isUpper (local.get $letter)) (i32.const 5))))

  ;; Adds to the whole name: without $ and apostrophes, without _ at its ends.
  (func $putWhole (param $letter i32)
    (if (i32.or (i32.eq (local.get $letter) (i32.const 36)) (i32.eq (local.get $letter) (i32.const 39)))
      (then (return)))
    (if (i32.and (i32.eq (local.get $letter) (i32.const 95)) (i32.eqz (global.get $wholeLength))) (then (return)))
    (if (i32.lt_u (global.get $wholeLength) (i32.const 256))
      (then
        (i32.store8 (i32.add (global.get $whole) (global.get $wholeLength)) (call $lower (local.get $letter)))))
    (global.set $wholeLength (i32.add (global.get $wholeLength) (i32.const 1)))
    (if (i32.ne (local.get $letter) (i32.const 95)) (then (global.set $wholeKept (global.get $wholeLength)))))

  (func $putWholeOf (param $from i32) (param $to i32)
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (call $putWhole (i32.load8_u (local.get $from)))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $each))))

  ;; Where the part of a name that begins at $from ends. Names of several words: HTTPServer2 is HTTP, Server, 2.
  (func $partEnd (param $from i32) (param $to i32) (result i32)
    (local $at i32)
    (local.set $at (local.get $from))
    (if (call $isDigit (i32.load8_u (local.get $at)))
      (then
        (loop $digits
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $digits
            (i32.and (i32.lt_u (local.get $at) (local.get $to)) (call $isDigit (i32.load8_u (local.get $at))))))
        (return (local.get $at))))
    (if (call $isUpper (i32.load8_u (local.get $at)))
      (then
        (loop $uppers
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $uppers
            (i32.and (i32.lt_u (local.get $at) (local.get $to)) (call $isUpper (i32.load8_u (local.get $at))))))
        (if (i32.ge_u (local.get $at) (local.get $to)) (then (return (local.get $at))))
        (if (i32.eqz (call $isLower (i32.load8_u (local.get $at)))) (then (return (local.get $at))))
        ;; The last capital begins the next part.
        (if (i32.gt_u (i32.sub (local.get $at) (local.get $from)) (i32.const 1))
          (then (return (i32.sub (local.get $at) (i32.const 1)))))))
    (loop $lowers
      (if (i32.and (i32.lt_u (local.get $at) (local.get $to)) (call $isLower (i32.load8_u (local.get $at))))
        (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $lowers))))
    (local.get $at))

  (func $addName (param $from i32) (param $to i32)
    (local $at i32) (local $count i32) (local $index i32) (local $size i32) (local $letter i32) (local $copied i32)
    (if (i32.gt_u (i32.sub (local.get $to) (local.get $from)) (global.get $longestName)) (then (return)))
    (local.set $at (local.get $from))
    (block $split
      (loop $each
        (br_if $split (i32.ge_u (local.get $at) (local.get $to)))
        (local.set $letter (i32.load8_u (local.get $at)))
        (if (i32.or (i32.eq (local.get $letter) (i32.const 95)) (i32.eq (local.get $letter) (i32.const 36)))
          (then (local.set $at (i32.add (local.get $at) (i32.const 1))))
          (else
            (local.set $index (i32.add (global.get $parts) (i32.shl (local.get $count) (i32.const 3))))
            (i32.store (local.get $index) (local.get $at))
            (local.set $at (call $partEnd (local.get $at) (local.get $to)))
            (i32.store offset=4 (local.get $index) (local.get $at))
            (local.set $count (i32.add (local.get $count) (i32.const 1)))))
        (br $each)))
    (local.set $index (i32.const 0))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $index) (local.get $count)))
        (local.set $at (i32.load (i32.add (global.get $parts) (i32.shl (local.get $index) (i32.const 3)))))
        (local.set $size
          (i32.sub
            (i32.load offset=4 (i32.add (global.get $parts) (i32.shl (local.get $index) (i32.const 3))))
            (local.get $at)))
        (local.set $index (i32.add (local.get $index) (i32.const 1)))
        (br_if $each (i32.gt_u (local.get $size) (global.get $longestTerm)))
        ;; A single digit among other parts says nothing.
        (br_if $each
          (i32.and
            (i32.eq (local.get $size) (i32.const 1))
            (i32.and (i32.gt_u (local.get $count) (i32.const 1)) (call $isDigit (i32.load8_u (local.get $at))))))
        (local.set $copied (i32.const 0))
        (loop $copy
          (i32.store8
            (i32.add (global.get $part) (local.get $copied))
            (call $lower (i32.load8_u (i32.add (local.get $at) (local.get $copied)))))
          (local.set $copied (i32.add (local.get $copied) (i32.const 1)))
          (br_if $copy (i32.lt_u (local.get $copied) (local.get $size))))
        (br_if $each (i32.load (call $stopSlot (global.get $part) (local.get $size))))
        (global.set $length (local.get $size))
        (call $stem)
        (call $emit (call $hash (global.get $part) (global.get $length)))
        (br $each)))
    (if (i32.gt_u (local.get $count) (i32.const 1))
      (then
        (global.set $wholeLength (i32.const 0))
        (global.set $wholeKept (i32.const 0))
        (call $putWholeOf (local.get $from) (local.get $to))
        (if (i32.and (i32.gt_u (global.get $wholeKept) (i32.const 0)) (i32.le_u (global.get $wholeKept) (global.get $longestTerm)))
          (then (call $emit (call $hash (global.get $whole) (global.get $wholeKept))))))))

  ;; Where a name ends without 's, 't, 're, 've, 'll, 'd or 'm.
  (func $withoutContraction (param $from i32) (param $to i32) (result i32)
    (local $at i32) (local $one i32) (local $two i32) (local $size i32)
    (local.set $at (local.get $to))
    (loop $search
      (if (i32.le_u (local.get $at) (local.get $from)) (then (return (local.get $to))))
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (br_if $search (i32.ne (i32.load8_u (local.get $at)) (i32.const 39))))
    (local.set $size (i32.sub (i32.sub (local.get $to) (local.get $at)) (i32.const 1)))
    (local.set $one (call $lower (i32.load8_u offset=1 (local.get $at))))
    (local.set $two (call $lower (i32.load8_u offset=2 (local.get $at))))
    (if (i32.eq (local.get $size) (i32.const 1))
      (then
        ;; s t d m
        (if (i32.or
              (i32.or (i32.eq (local.get $one) (i32.const 115)) (i32.eq (local.get $one) (i32.const 116)))
              (i32.or (i32.eq (local.get $one) (i32.const 100)) (i32.eq (local.get $one) (i32.const 109))))
          (then (return (local.get $at))))))
    (if (i32.eq (local.get $size) (i32.const 2))
      (then
        (if (i32.or
              (i32.and
                (i32.or (i32.eq (local.get $one) (i32.const 114)) (i32.eq (local.get $one) (i32.const 118)))
                (i32.eq (local.get $two) (i32.const 101)))
              (i32.and (i32.eq (local.get $one) (i32.const 108)) (i32.eq (local.get $two) (i32.const 108))))
          (then (return (local.get $at))))))
    (local.get $to))

  ;; A name in which apostrophes may stand: they are left out.
  (func $addPiece (param $from i32) (param $to i32)
    (local $at i32) (local $size i32) (local $letter i32)
    (local.set $at (local.get $from))
    (block $has
      (loop $search
        (if (i32.ge_u (local.get $at) (local.get $to))
          (then (call $addName (local.get $from) (local.get $to)) (return)))
        (br_if $has (i32.eq (i32.load8_u (local.get $at)) (i32.const 39)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $search)))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $from) (local.get $to)))
        (local.set $letter (i32.load8_u (local.get $from)))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br_if $each (i32.eq (local.get $letter) (i32.const 39)))
        (if (i32.ge_u (local.get $size) (global.get $longestName)) (then (return)))
        (i32.store8 (i32.add (global.get $compact) (local.get $size)) (local.get $letter))
        (local.set $size (i32.add (local.get $size) (i32.const 1)))
        (br $each)))
    (call $addName (global.get $compact) (i32.add (global.get $compact) (local.get $size))))

  (func $addWord (param $from i32) (param $to i32)
    (local $at i32) (local $start i32) (local $letter i32) (local $count i32) (local $hasJoint i32)
    (local $before i32) (local $beforeEnd i32) (local $piece i32) (local $pieceEnd i32)
    (local.set $at (local.get $from))
    (local.set $start (local.get $from))
    (block $done
      (loop $each
        (local.set $letter
          (if (result i32) (i32.lt_u (local.get $at) (local.get $to))
            (then (i32.load8_u (local.get $at)))
            (else (i32.const 46))))
        (if (i32.or (i32.eq (local.get $letter) (i32.const 46)) (i32.eq (local.get $letter) (i32.const 45)))
          (then
            (local.set $before (local.get $piece))
            (local.set $beforeEnd (local.get $pieceEnd))
            (local.set $piece (local.get $start))
            (local.set $pieceEnd (call $withoutContraction (local.get $start) (local.get $at)))
            (call $addPiece (local.get $piece) (local.get $pieceEnd))
            (local.set $count (i32.add (local.get $count) (i32.const 1)))
            (local.set $start (i32.add (local.get $at) (i32.const 1)))))
        (br_if $done (i32.ge_u (local.get $at) (local.get $to)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $each)))
    (if (i32.lt_u (local.get $count) (i32.const 2)) (then (return)))
    ;; The last two parts of a dotted or hyphenated name are a name of their own.
    (global.set $wholeLength (i32.const 0))
    (global.set $wholeKept (i32.const 0))
    (call $putWholeOf (local.get $before) (local.get $beforeEnd))
    (call $putWhole (i32.const 95))
    (call $putWholeOf (local.get $piece) (local.get $pieceEnd))
    (if (i32.and
          (i32.and (i32.gt_u (global.get $wholeKept) (i32.const 3)) (i32.le_u (global.get $wholeKept) (global.get $longestTerm)))
          (i32.eqz (call $isDigit (i32.load8_u (global.get $whole)))))
      (then (call $emit (call $hash (global.get $whole) (global.get $wholeKept))))))

  (func $isNumber (param $from i32) (param $to i32) (result i32)
    (loop $each
      (if (i32.ge_u (local.get $from) (local.get $to)) (then (return (i32.const 1))))
      (if (i32.eqz (call $isDigit (i32.load8_u (local.get $from)))) (then (return (i32.const 0))))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (br $each))
    (unreachable))

  ;; The address of a word's terms: their number, then their hashes. $hash: of its bytes.
  (func $termsOf (param $from i32) (param $to i32) (param $hash i32) (result i32)
    (local $slot i32) (local $size i32) (local $terms i32)
    (local.set $size (i32.sub (local.get $to) (local.get $from)))
    (if (i32.or
          (i32.ge_u (global.get $words) (global.get $mostWords))
          (i32.gt_u (i32.add (global.get $next) (i32.const 4096)) (global.get $arenaEnd)))
      (then
        (memory.fill (global.get $slots) (i32.const 0) (i32.sub (global.get $slotsEnd) (global.get $slots)))
        (global.set $words (i32.const 0))
        (global.set $next (global.get $arena))))
    (local.set $slot
      (i32.add (global.get $slots) (i32.shl (i32.and (local.get $hash) (i32.const 0xffff)) (i32.const 4))))
    (block $missing
      (loop $probe
        (br_if $missing (i32.eqz (i32.load offset=4 (local.get $slot))))
        (if (i32.and
              (i32.eq (i32.load (local.get $slot)) (local.get $hash))
              (i32.eq (i32.load offset=8 (local.get $slot)) (local.get $size)))
          (then
            (if (call $same (i32.load offset=4 (local.get $slot)) (local.get $from) (local.get $size))
              (then (return (i32.load offset=12 (local.get $slot)))))))
        (local.set $slot (i32.add (local.get $slot) (i32.const 16)))
        (if (i32.eq (local.get $slot) (global.get $slotsEnd)) (then (local.set $slot (global.get $slots))))
        (br $probe)))
    (local.set $terms (global.get $next))
    (global.set $out (i32.add (local.get $terms) (i32.const 4)))
    (call $addWord (local.get $from) (local.get $to))
    (i32.store
      (local.get $terms)
      (i32.shr_u (i32.sub (i32.sub (global.get $out) (local.get $terms)) (i32.const 4)) (i32.const 2)))
    ;; Numbers seldom come again.
    (if (call $isNumber (local.get $from) (local.get $to)) (then (return (local.get $terms))))
    (memory.copy (global.get $out) (local.get $from) (local.get $size))
    (i32.store (local.get $slot) (local.get $hash))
    (i32.store offset=4 (local.get $slot) (global.get $out))
    (i32.store offset=8 (local.get $slot) (local.get $size))
    (i32.store offset=12 (local.get $slot) (local.get $terms))
    (global.set $words (i32.add (global.get $words) (i32.const 1)))
    (global.set $next
      (i32.and (i32.add (i32.add (global.get $out) (local.get $size)) (i32.const 3)) (i32.const -4)))
    (local.get $terms))

  ;; The regions of a file: each list has room for so many bytes. Begins with empty lists.
  (func (export "place") (param $itemAt i32) (param $fileAt i32) (param $pathAt i32) (param $spareAt i32) (param $bytes i32)
    (global.set $item (local.get $itemAt))
    (global.set $file (local.get $fileAt))
    (global.set $path (local.get $pathAt))
    (global.set $spare (local.get $spareAt))
    (global.set $itemEnd (local.get $itemAt))
    (global.set $fileEnd (local.get $fileAt))
    (global.set $pathEnd (local.get $pathAt))
    (global.set $room (local.get $bytes)))

  ;; What was added to the item so far is of the path, and every item begins with it.
  (func (export "keepPath")
    (local $size i32)
    (local.set $size (i32.sub (global.get $itemEnd) (global.get $item)))
    (memory.copy (global.get $path) (global.get $item) (local.get $size))
    (global.set $pathEnd (i32.add (global.get $path) (local.get $size))))

  (func (export "beginItem")
    (local $size i32)
    (local.set $size (i32.sub (global.get $pathEnd) (global.get $path)))
    (memory.copy (global.get $item) (global.get $path) (local.get $size))
    (global.set $itemEnd (i32.add (global.get $item) (local.get $size))))

  ;; Whether both lists have room for so many terms more.
  (func $hasRoom (param $terms i32) (result i32)
    (i32.and
      (i32.le_u
        (i32.add (i32.sub (global.get $itemEnd) (global.get $item)) (i32.shl (local.get $terms) (i32.const 3)))
        (global.get $room))
      (i32.le_u
        (i32.add (i32.sub (global.get $fileEnd) (global.get $file)) (i32.shl (local.get $terms) (i32.const 3)))
        (global.get $room))))

  ;; Adds the terms of the text at $at to the item, and to the file where $inFile says so. 0 when there is no room for them. One byte behind the text is overwritten.
  (func (export "add") (param $at i32) (param $size i32) (param $fieldIndex i32) (param $inFile i32) (result i32)
    (local $end i32) (local $start i32) (local $hash i32) (local $kind i32) (local $terms i32) (local $termsEnd i32)
    (global.set $field (i64.extend_i32_u (local.get $fieldIndex)))
    (global.set $toFile (local.get $inFile))
    (local.set $end (i32.add (local.get $at) (local.get $size)))
    (i32.store8 (local.get $end) (i32.const 0))
    (loop $each
      (block $found
        (loop $skip
          (br_if $found (i32.eq (i32.load8_u offset=256 (i32.load8_u (local.get $at))) (i32.const 1)))
          (if (i32.ge_u (local.get $at) (local.get $end)) (then (return (i32.const 1))))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $skip)))
      (local.set $start (local.get $at))
      (local.set $hash (i32.const 0x811c9dc5))
      (block $ended
        (loop $letters
          (local.set $kind (i32.load8_u offset=256 (i32.load8_u (local.get $at))))
          (br_if $ended (i32.eqz (local.get $kind)))
          (if (i32.eq (local.get $kind) (i32.const 2))
            (then (br_if $ended (i32.ne (i32.load8_u offset=256 (i32.load8_u offset=1 (local.get $at))) (i32.const 1)))))
          (local.set $hash
            (i32.mul (i32.xor (local.get $hash) (i32.load8_u (local.get $at))) (i32.const 0x01000193)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $letters)))
      ;; A word has at most two terms for each of its letters.
      (local.set $size (i32.sub (local.get $at) (local.get $start)))
      (if (i32.eqz (call $hasRoom (i32.add (i32.shl (local.get $size) (i32.const 1)) (i32.const 2))))
        (then (return (i32.const 0))))
      (if (i32.gt_u (local.get $size) (global.get $longestWord))
        (then
          (global.set $isDirect (i32.const 1))
          (call $addWord (local.get $start) (local.get $at))
          (global.set $isDirect (i32.const 0)))
        (else
          (local.set $terms (call $termsOf (local.get $start) (local.get $at) (local.get $hash)))
          (local.set $termsEnd
            (i32.add (local.get $terms) (i32.shl (i32.load (local.get $terms)) (i32.const 2))))
          (block $done
            (loop $term
              (br_if $done (i32.ge_u (local.get $terms) (local.get $termsEnd)))
              (local.set $terms (i32.add (local.get $terms) (i32.const 4)))
              (call $put (i32.load (local.get $terms)))
              (br $term)))))
      (br $each))
    (unreachable))

  ;; The same for terms that are given by their hashes.
  (func (export "addHashes") (param $at i32) (param $count i32) (param $fieldIndex i32) (param $inFile i32) (result i32)
    (local $end i32)
    (if (i32.eqz (call $hasRoom (local.get $count))) (then (return (i32.const 0))))
    (global.set $field (i64.extend_i32_u (local.get $fieldIndex)))
    (global.set $toFile (local.get $inFile))
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (call $put (i32.load (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $each)))
    (i32.const 1))

  ;; Sorting and packing

  (func $sortRun (param $from i32) (param $to i32)
    (local $at i32) (local $place i32) (local $key i64)
    (local.set $at (i32.add (local.get $from) (i32.const 8)))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $to)))
        (local.set $key (i64.load (local.get $at)))
        (local.set $place (local.get $at))
        (block $placed
          (loop $shift
            (br_if $placed (i32.le_u (local.get $place) (local.get $from)))
            (br_if $placed
              (i64.le_u (i64.load (i32.sub (local.get $place) (i32.const 8))) (local.get $key)))
            (i64.store (local.get $place) (i64.load (i32.sub (local.get $place) (i32.const 8))))
            (local.set $place (i32.sub (local.get $place) (i32.const 8)))
            (br $shift)))
        (i64.store (local.get $place) (local.get $key))
        (local.set $at (i32.add (local.get $at) (i32.const 8)))
        (br $each))))

  ;; Merges two sorted runs, [one, other) and [other, end), to $to.
  (func $merge (param $one i32) (param $other i32) (param $end i32) (param $to i32)
    (local $oneEnd i32)
    (local.set $oneEnd (local.get $other))
    (block $done
      (loop $each
        (br_if $done
          (i32.or (i32.ge_u (local.get $one) (local.get $oneEnd)) (i32.ge_u (local.get $other) (local.get $end))))
        (if (i64.le_u (i64.load (local.get $one)) (i64.load (local.get $other)))
          (then
            (i64.store (local.get $to) (i64.load (local.get $one)))
            (local.set $one (i32.add (local.get $one) (i32.const 8))))
          (else
            (i64.store (local.get $to) (i64.load (local.get $other)))
            (local.set $other (i32.add (local.get $other) (i32.const 8)))))
        (local.set $to (i32.add (local.get $to) (i32.const 8)))
        (br $each)))
    (if (i32.lt_u (local.get $one) (local.get $oneEnd))
      (then (memory.copy (local.get $to) (local.get $one) (i32.sub (local.get $oneEnd) (local.get $one))))
      (else (memory.copy (local.get $to) (local.get $other) (i32.sub (local.get $end) (local.get $other))))))

  (func $least (param $one i32) (param $other i32) (result i32)
    (select (local.get $one) (local.get $other) (i32.lt_u (local.get $one) (local.get $other))))

  (func $sort (param $list i32) (param $size i32)
    (local $from i32) (local $to i32) (local $width i32) (local $at i32)
    (local.set $width (i32.const 96))
    (block $sorted
      (loop $runs
        (br_if $sorted (i32.ge_u (local.get $at) (local.get $size)))
        (call $sortRun
          (i32.add (local.get $list) (local.get $at))
          (i32.add (local.get $list) (call $least (i32.add (local.get $at) (local.get $width)) (local.get $size))))
        (local.set $at (i32.add (local.get $at) (local.get $width)))
        (br $runs)))
    (local.set $from (local.get $list))
    (local.set $to (global.get $spare))
    (block $done
      (loop $wider
        (br_if $done (i32.ge_u (local.get $width) (local.get $size)))
        (local.set $at (i32.const 0))
        (block $merged
          (loop $pairs
            (br_if $merged (i32.ge_u (local.get $at) (local.get $size)))
            (call $merge
              (i32.add (local.get $from) (local.get $at))
              (i32.add (local.get $from) (call $least (i32.add (local.get $at) (local.get $width)) (local.get $size)))
              (i32.add
                (local.get $from)
                (call $least (i32.add (local.get $at) (i32.shl (local.get $width) (i32.const 1))) (local.get $size)))
              (i32.add (local.get $to) (local.get $at)))
            (local.set $at (i32.add (local.get $at) (i32.shl (local.get $width) (i32.const 1))))
            (br $pairs)))
        (local.set $at (local.get $from))
        (local.set $from (local.get $to))
        (local.set $to (local.get $at))
        (local.set $width (i32.shl (local.get $width) (i32.const 1)))
        (br $wider)))
    (if (i32.ne (local.get $from) (local.get $list))
      (then (memory.copy (local.get $list) (local.get $from) (local.get $size)))))

  ;; Sorts a list and writes its terms, each once with its frequency, to the spare region. Returns how many bytes.
  (func $pack (param $list i32) (param $end i32) (result i32)
    (local $out i32) (local $key i64) (local $count i32)
    (call $sort (local.get $list) (i32.sub (local.get $end) (local.get $list)))
    (local.set $out (global.get $spare))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $key (i64.load (local.get $list)))
        (local.set $count (i32.const 0))
        (block $counted
          (loop $equal
            (local.set $count (i32.add (local.get $count) (i32.const 1)))
            (local.set $list (i32.add (local.get $list) (i32.const 8)))
            (br_if $counted (i32.ge_u (local.get $list) (local.get $end)))
            (br_if $equal (i64.eq (i64.load (local.get $list)) (local.get $key)))))
        (i32.store (local.get $out) (i32.wrap_i64 (i64.shr_u (local.get $key) (i64.const 3))))
        (i32.store8 offset=4
          (local.get $out)
          (i32.or
            (i32.shl (i32.and (i32.wrap_i64 (local.get $key)) (i32.const 7)) (i32.const 5))
            (i32.load8_u offset=512 (call $least (local.get $count) (i32.const 255)))))
        (local.set $out (i32.add (local.get $out) (i32.const 5)))
        (br $each)))
    (i32.sub (local.get $out) (global.get $spare)))

  (func (export "itemCount") (result i32)
    (i32.shr_u (i32.sub (global.get $itemEnd) (global.get $item)) (i32.const 3)))
  (func (export "fileCount") (result i32)
    (i32.shr_u (i32.sub (global.get $fileEnd) (global.get $file)) (i32.const 3)))
  (func (export "packItem") (result i32) (call $pack (global.get $item) (global.get $itemEnd)))
  (func (export "packFile") (result i32) (call $pack (global.get $file) (global.get $fileEnd))))
