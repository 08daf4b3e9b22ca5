;; Looks through JSON: 16 bytes at a time for where objects end, which fields they have, and where they differ from a template, and one by one for whether a value is certainly valid.
;; `npm run scan-module` assembles it into scanModule.ts.
;;
;; A mask has one bit for each byte of a block, the lowest bit for the first byte. A state is depth << 2 | isEscaped << 1 | isInString.
(module
  ;; From address 0 on: how many fields were found, as 32 bits; how many brackets open, and how many quotes there are; and from 16
  ;; on, for each field, twice the address of its colon, plus 1 for one of the metadata's, and how many brackets and quotes come before. From 8192 on, for each of the first 131072 blocks, a mask of the brackets and commas outside of
  ;; strings. What a comparison finds: at 270336 where the text of the values ends, from 344064 on that text, an array, and from 278528 on for each value how deep it lies, and its
  ;; number in the object or array around it, after those of all around that. The numbers of the place that it has come to stand from 270340 on. From 425984 on the template.
  ;; From 499712 on 1024 elements of arrays that came more than once, each in 384 bytes: a hash of its text, the length, 1 if it is parsed, the hash that came last for this place,
  ;; in which call it was last used, and from 24 on the text. These calls are counted at 12. What replaces elements by numbers writes at 270340 how many are to be parsed, from 278528 on the places of those that it replaced, from 311296 on of those
  ;; that are to be parsed, and from 344064 on the text. From 892928 on stand the bytes. As 16 are read at a time, as many have to be free behind.
  (memory (export "memory") 17)

  ;; How many of the bits stand for the byte of $one or one before it.
  (func $upTo (param $bits i32) (param $one i32) (result i32)
    (i32.popcnt (i32.and (local.get $bits) (i32.xor (local.get $one) (i32.sub (local.get $one) (i32.const 1))))))

  ;; Notes a field. Of more than 1,000, only how many there are is known.
  (func $field (param $colon i32) (param $inner i32) (param $sum i32)
    (local $count i32)
    (local.set $count (i32.load (i32.const 0)))
    (i32.store (i32.const 0) (i32.add (local.get $count) (i32.const 1)))
    (if (i32.lt_u (local.get $count) (i32.const 1000))
      (then
        (local.set $count (i32.shl (local.get $count) (i32.const 3)))
        (i32.store offset=16 (local.get $count) (i32.or (i32.shl (local.get $colon) (i32.const 1)) (local.get $inner)))
        (i32.store offset=20 (local.get $count) (local.get $sum)))))

  ;; The address behind the bracket that closes the outermost one; ~state when all bytes from $at to $end lie before it.
  (func (export "scan") (param $at i32) (param $end i32) (param $state i32) (result i32)
    (local $text v128) (local $depth i32) (local $sum i32) (local $place i32) (local $inMetadata i32)
    (local $inString i32) ;; all ones in a string, otherwise 0
    (local $escaped i32)  ;; 1 when the first byte of the block is escaped
    (local $live i32)     ;; the bytes of the block that lie before $end
    (local $left i32) (local $one i32) (local $escapes i32) (local $counts i32) (local $quotes i32) (local $marks i32)
    (local $outside i32) (local $opens i32) (local $closes i32) (local $colons i32)
    (local $parts i32)    ;; twice the number of the block

    (i32.store (i32.const 0) (i32.const 0))
    (local.set $depth (i32.shr_u (local.get $state) (i32.const 2)))
    (local.set $escaped (i32.and (i32.shr_u (local.get $state) (i32.const 1)) (i32.const 1)))
    (local.set $inString (i32.sub (i32.const 0) (i32.and (local.get $state) (i32.const 1))))

    (block $done
      (loop $blocks
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $text (v128.load (local.get $at)))
        (local.set $live (i32.const 0xffff))
        (if (i32.lt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 16))
          (then (local.set $live (i32.sub (i32.shl (i32.const 1) (i32.sub (local.get $end) (local.get $at))) (i32.const 1)))))
        (local.set $counts (local.get $live))
        (local.set $left (i32.and (local.get $live) (i8x16.bitmask (i8x16.eq (local.get $text) (i8x16.splat (i32.const 0x5c))))))
        (if (i32.or (local.get $left) (local.get $escaped))
          (then
            ;; Backslashes one by one: each that is not escaped itself escapes the byte behind it. An escaped byte counts for nothing.
            (local.set $escapes (i32.const 0))
            (local.set $left (i32.and (local.get $left) (i32.xor (local.get $escaped) (i32.const -1))))
            (block $noSlash
              (loop $eachSlash
                (br_if $noSlash (i32.eqz (local.get $left)))
                (local.set $one (i32.and (local.get $left) (i32.sub (i32.const 0) (local.get $left))))
                (local.set $escapes (i32.or (local.get $escapes) (local.get $one)))
                (local.set $left (i32.and (local.get $left) (i32.xor (i32.mul (local.get $one) (i32.const 3)) (i32.const -1))))
                (br $eachSlash)))
            (local.set $counts (i32.and (local.get $live) (i32.xor (i32.or (i32.shl (local.get $escapes) (i32.const 1)) (local.get $escaped)) (i32.const -1))))
            ;; The block behind begins with an escaped byte when the last live byte of this one escapes.
            (local.set $escaped (i32.ne (i32.const 0) (i32.and (local.get $escapes) (i32.xor (local.get $live) (i32.shr_u (local.get $live) (i32.const 1))))))))

        (local.set $marks (i32.and (local.get $counts) (i8x16.bitmask (i8x16.eq (local.get $text) (i8x16.splat (i32.const 0x22))))))
        ;; Each bit becomes the parity of the quotes up to its own: 1 in strings.
        (local.set $quotes (i32.xor (local.get $marks) (i32.shl (local.get $marks) (i32.const 1))))
        (local.set $quotes (i32.xor (local.get $quotes) (i32.shl (local.get $quotes) (i32.const 2))))
        (local.set $quotes (i32.xor (local.get $quotes) (i32.shl (local.get $quotes) (i32.const 4))))
        (local.set $quotes (i32.xor (local.get $quotes) (i32.shl (local.get $quotes) (i32.const 8))))
        (local.set $quotes (i32.xor (local.get $quotes) (local.get $inString)))
        (local.set $inString (i32.shr_s (i32.shl (local.get $quotes) (i32.const 16)) (i32.const 31)))
        (local.set $outside (i32.and (local.get $counts) (i32.xor (local.get $quotes) (i32.const -1))))
        ;; With 0x20 set, a bracket is the brace of its side. Control characters become what is looked for as well: no parser takes them outside of strings.
        (local.set $text (v128.or (local.get $text) (i8x16.splat (i32.const 0x20))))
        (local.set $opens (i32.and (local.get $outside) (i8x16.bitmask (i8x16.eq (local.get $text) (i8x16.splat (i32.const 0x7b))))))
        (local.set $closes (i32.and (local.get $outside) (i8x16.bitmask (i8x16.eq (local.get $text) (i8x16.splat (i32.const 0x7d))))))
        (local.set $marks (i32.or (local.get $marks) (local.get $opens)))

        (if (i32.lt_u (local.get $parts) (i32.const 262144))
          (then
            (i32.store16 offset=8192
              (local.get $parts)
              (i32.or
                (i32.or (local.get $opens) (local.get $closes))
                (i32.and (local.get $outside) (i8x16.bitmask (i8x16.eq (local.get $text) (i8x16.splat (i32.const 0x2c)))))))
            (local.set $parts (i32.add (local.get $parts) (i32.const 2)))))

        ;; Only a block in which the depth may be 2 or less has fields that are looked for, or the end.
        (if (i32.le_s (i32.sub (local.get $depth) (i32.popcnt (local.get $closes))) (i32.const 2))
          (then
            (local.set $colons (i32.and (local.get $outside) (i8x16.bitmask (i8x16.eq (local.get $text) (i8x16.splat (i32.const 0x3a))))))
            (local.set $left (i32.or (i32.or (local.get $opens) (local.get $closes)) (local.get $colons)))
            (block $noMore
              (loop $each
                (br_if $noMore (i32.eqz (local.get $left)))
                (local.set $one (i32.and (local.get $left) (i32.sub (i32.const 0) (local.get $left))))
                (local.set $place (i32.add (local.get $at) (i32.ctz (local.get $left))))
                (local.set $left (i32.xor (local.get $left) (local.get $one)))
                (if (i32.and (local.get $colons) (local.get $one))
                  (then
                    (if (i32.eq (local.get $depth) (i32.const 1))
                      ;; The eight bytes of `metadata`, with a quote before.
                      (then
                        (local.set $inMetadata
                          (i32.and
                            (i64.eq (i64.load (i32.sub (local.get $place) (i32.const 9))) (i64.const 0x617461646174656d))
                            (i32.eq (i32.load8_u (i32.sub (local.get $place) (i32.const 10))) (i32.const 0x22)))))
                      (else (br_if $each (i32.or (i32.ne (local.get $depth) (i32.const 2)) (i32.eqz (local.get $inMetadata))))))
                    (call $field
                      (local.get $place)
                      (i32.eq (local.get $depth) (i32.const 2))
                      (i32.add (local.get $sum) (call $upTo (local.get $marks) (local.get $one))))
                    (br $each)))
                (if (i32.and (local.get $opens) (local.get $one)) (then (local.set $depth (i32.add (local.get $depth) (i32.const 1))) (br $each)))
                (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
                (br_if $each (local.get $depth))
                (i32.store (i32.const 4) (i32.add (local.get $sum) (call $upTo (local.get $marks) (local.get $one))))
                (return (i32.add (local.get $place) (i32.const 1))))))
          (else (local.set $depth (i32.sub (i32.add (local.get $depth) (i32.popcnt (local.get $opens))) (i32.popcnt (local.get $closes))))))
        (local.set $sum (i32.add (local.get $sum) (i32.popcnt (local.get $marks))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $blocks)))

    (i32.xor
      (i32.const -1)
      (i32.or (i32.shl (local.get $depth) (i32.const 2)) (i32.or (i32.shl (local.get $escaped) (i32.const 1)) (i32.and (local.get $inString) (i32.const 1))))))

  ;; The address behind the string that begins at $at.
  (func $endOfString (param $at i32) (result i32)
    (local $text v128) (local $plain i32)
    (local.set $at (i32.add (local.get $at) (i32.const 1)))
    (loop $each
      (local.set $text (v128.load (local.get $at)))
      (local.set $plain
        (i32.ctz
          (i32.or
            (i32.const 0x10000)
            (i8x16.bitmask
              (v128.or (i8x16.eq (local.get $text) (i8x16.splat (i32.const 0x22))) (i8x16.eq (local.get $text) (i8x16.splat (i32.const 0x5c))))))))
      (local.set $at (i32.add (local.get $at) (local.get $plain)))
      (br_if $each (i32.eq (local.get $plain) (i32.const 16)))
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 0x5c)) (then (local.set $at (i32.add (local.get $at) (i32.const 2))) (br $each))))
    (i32.add (local.get $at) (i32.const 1)))

  ;; Compares the object that was scanned last, from behind its bracket to its end, with a template, and leaves out what lies from $cut to $behind. How many values differ; -1 when it
  ;; does not fit. Both texts are read side by side. Where they differ inside a string, number or literal, that value differs, and the comparison continues behind it. Where they
  ;; differ in structure, or in more than a third, the object does not fit.
  (func (export "compare")
    (param $known i32) (param $knownEnd i32) (param $at i32) (param $end i32) (param $cut i32) (param $behind i32) (param $number i32) (result i32)
    (local $count i32) (local $steps i32) (local $written i32) (local $stop i32) (local $room i32) (local $equal i32) (local $rest i32)
    (local $start i32) (local $block i32) (local $mask i32) ;; the brackets and commas of the block that were not passed
    (local $next i32)   ;; the next of them
    (local $member i32) ;; where the value begins, with its key, that those before show; 0 where there is none
    (local $since i32)  ;; from where on both texts were equal
    (local $depth i32) (local $byte i32) (local $value i32)
    (local $open i64)   ;; the lowest bit is 1 in an object, the one above stands for what lies around it, and so on

    (local.set $start (local.get $at))
    (local.set $member (local.get $at))
    (local.set $stop (local.get $cut))
    (local.set $open (i64.const 1))
    (local.set $block (i32.const 8192))
    (local.set $mask (i32.load16_u (local.get $block)))
    (local.set $steps (i32.const 278528))
    (local.set $written (i32.const 344064))
    (local.set $rest (i32.div_u (i32.sub (local.get $knownEnd) (local.get $known)) (i32.const 3)))
    (block $no
      (loop $each
        (local.set $since (local.get $at))
        (local.set $room (i32.sub (local.get $stop) (local.get $at)))
        (local.set $equal (i32.sub (local.get $knownEnd) (local.get $known)))
        (local.set $room (select (local.get $room) (local.get $equal) (i32.lt_u (local.get $room) (local.get $equal))))
        (block $differs
          (loop $vectors
            (br_if $differs (i32.eqz (local.get $room)))
            (local.set $equal (i32.ctz (i32.or (i32.const 0x10000) (i8x16.bitmask (i8x16.ne (v128.load (local.get $known)) (v128.load (local.get $at)))))))
            (local.set $equal (select (local.get $room) (local.get $equal) (i32.lt_u (local.get $room) (local.get $equal))))
            (local.set $known (i32.add (local.get $known) (local.get $equal)))
            (local.set $at (i32.add (local.get $at) (local.get $equal)))
            (local.set $room (i32.sub (local.get $room) (local.get $equal)))
            (br_if $vectors (i32.eq (local.get $equal) (i32.const 16)))))
        (if (i32.and (i32.eq (local.get $at) (local.get $stop)) (i32.ne (local.get $stop) (local.get $end)))
          (then (local.set $at (local.get $behind)) (local.set $stop (local.get $end)) (br $each)))
        (if (i32.eq (local.get $known) (local.get $knownEnd))
          (then
            (br_if $no (i32.ne (local.get $at) (local.get $end)))
            (i32.store8 (local.get $written) (i32.const 0x5d))
            (i32.store (i32.const 270336) (i32.add (local.get $written) (i32.const 1)))
            (return (local.get $count))))
        (br_if $no (i32.eq (local.get $at) (local.get $end)))

        ;; Passes the brackets and commas before the difference. The last bracket of the object lies behind.
        (block $passed
          (loop $marks
            (if (i32.eqz (local.get $mask))
              (then
                (local.set $block (i32.add (local.get $block) (i32.const 2)))
                (local.set $mask (i32.load16_u (local.get $block)))
                (br $marks)))
            (local.set $next
              (i32.add (i32.add (local.get $start) (i32.shl (i32.sub (local.get $block) (i32.const 8192)) (i32.const 3))) (i32.ctz (local.get $mask))))
            (br_if $passed (i32.ge_u (local.get $next) (local.get $at)))
            (if (i32.lt_u (i32.sub (local.get $next) (local.get $cut)) (i32.sub (local.get $behind) (local.get $cut)))
              (then
                (local.set $member (local.get $behind))
                (local.set $byte (i32.sub (local.get $member) (local.get $start)))
                (local.set $block (i32.add (i32.const 8192) (i32.shl (i32.shr_u (local.get $byte) (i32.const 4)) (i32.const 1))))
                (local.set $mask (i32.and (i32.load16_u (local.get $block)) (i32.shl (i32.const -1) (i32.and (local.get $byte) (i32.const 15)))))
                (br $marks)))
            (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
            (local.set $byte (i32.load8_u (local.get $next)))
            (local.set $member (i32.add (local.get $next) (i32.const 1)))
            (if (i32.eq (local.get $byte) (i32.const 0x2c)) (then (local.set $number (i32.add (local.get $number) (i32.const 1))) (br $marks)))
            (if (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7b))
              (then
                (br_if $no (i32.eq (local.get $depth) (i32.const 63)))
                (i32.store offset=270340 (i32.shl (local.get $depth) (i32.const 2)) (local.get $number))
                (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
                (local.set $number (i32.const 0))
                (local.set $open (i64.or (i64.shl (local.get $open) (i64.const 1)) (i64.extend_i32_u (i32.eq (local.get $byte) (i32.const 0x7b)))))
                (br $marks)))
            (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
            (local.set $number (i32.load offset=270340 (i32.shl (local.get $depth) (i32.const 2))))
            (local.set $open (i64.shr_u (local.get $open) (i64.const 1)))
            (local.set $member (i32.const 0))
            (br $marks)))

        ;; The value has to begin, in both texts, before the difference, and may not be an object or array.
        (if (i32.and (i32.wrap_i64 (local.get $open)) (i32.ne (local.get $member) (i32.const 0)))
          (then
            (br_if $no (i32.ne (i32.load8_u (local.get $member)) (i32.const 0x22)))
            (local.set $member (call $endOfString (local.get $member)))
            (br_if $no (i32.ne (i32.load8_u (local.get $member)) (i32.const 0x3a)))
            (local.set $member (i32.add (local.get $member) (i32.const 1)))))
        (br_if $no (i32.or (i32.lt_u (local.get $member) (local.get $since)) (i32.gt_u (local.get $member) (local.get $at))))
        (br_if $no (i32.eq (local.get $member) (local.get $next)))
        (local.set $value (i32.sub (local.get $known) (i32.sub (local.get $at) (local.get $member))))
        (local.set $equal (local.get $value))
        (local.set $byte (i32.load8_u (local.get $equal)))
        (br_if $no (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7b)))
        (if (i32.eq (local.get $byte) (i32.const 0x22))
          (then (local.set $equal (call $endOfString (local.get $equal))))
          (else
            (block $ended
              (loop $scalar
                (local.set $byte (i32.load8_u (local.get $equal)))
                (br_if $ended (i32.or (i32.le_u (local.get $byte) (i32.const 0x20)) (i32.eq (local.get $byte) (i32.const 0x2c))))
                (br_if $ended (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7d)))
                (local.set $equal (i32.add (local.get $equal) (i32.const 1)))
                (br $scalar)))))
        ;; What differs has to lie in it, in one of the two texts at least.
        (br_if $no (i32.or (i32.eq (local.get $equal) (local.get $value)) (i32.lt_u (local.get $equal) (local.get $known))))
        (br_if $no (i32.and (i32.eq (local.get $equal) (local.get $known)) (i32.eq (local.get $next) (local.get $at))))
        (local.set $known (local.get $equal))
        (local.set $at (local.get $next))

        (local.set $rest (i32.sub (local.get $rest) (i32.sub (local.get $at) (local.get $member))))
        (br_if $no (i32.lt_s (local.get $rest) (i32.const 0)))
        (i32.store8 (local.get $written) (select (i32.const 0x2c) (i32.const 0x5b) (local.get $count)))
        (local.set $written (i32.add (local.get $written) (i32.const 1)))
        (loop $copy
          (v128.store (local.get $written) (v128.load (local.get $member)))
          (local.set $written (i32.add (local.get $written) (i32.const 16)))
          (local.set $member (i32.add (local.get $member) (i32.const 16)))
          (br_if $copy (i32.lt_u (local.get $member) (local.get $at))))
        (local.set $written (i32.sub (local.get $written) (i32.sub (local.get $member) (local.get $at))))
        (local.set $count (i32.add (local.get $count) (i32.const 1)))

        (br_if $no (i32.gt_u (i32.add (local.get $steps) (i32.shl (i32.add (local.get $depth) (i32.const 2)) (i32.const 2))) (i32.const 344064)))
        (i32.store offset=270340 (i32.shl (local.get $depth) (i32.const 2)) (local.get $number))
        (i32.store (local.get $steps) (local.get $depth))
        (local.set $steps (i32.add (local.get $steps) (i32.const 4)))
        (memory.copy (local.get $steps) (i32.const 270340) (i32.shl (i32.add (local.get $depth) (i32.const 1)) (i32.const 2)))
        (local.set $steps (i32.add (local.get $steps) (i32.shl (i32.add (local.get $depth) (i32.const 1)) (i32.const 2))))
        (local.set $member (i32.const 0))
        (br $each)))
    (i32.const -1))

  ;; Whether $length bytes are equal, of at least 16.
  (func $areEqual (param $a i32) (param $b i32) (param $length i32) (result i32)
    (local $end i32)
    (local.set $end (i32.sub (i32.add (local.get $a) (local.get $length)) (i32.const 16)))
    (block $differ
      (loop $each
        (br_if $differ (i8x16.bitmask (i8x16.ne (v128.load (local.get $a)) (v128.load (local.get $b)))))
        (if (i32.eq (local.get $a) (local.get $end)) (then (return (i32.const 1))))
        (local.set $b (i32.add (local.get $b) (i32.const 16)))
        (local.set $a (i32.add (local.get $a) (i32.const 16)))
        (br_if $each (i32.lt_u (local.get $a) (local.get $end)))
        ;; The last 16 bytes.
        (local.set $b (i32.sub (local.get $b) (i32.sub (local.get $a) (local.get $end))))
        (local.set $a (local.get $end))
        (br $each)))
    (i32.const 0))

  ;; Whether an element stands at a place, and is parsed, or was put there in this call.
  (func $isAt (param $place i32) (param $key i32) (param $text i32) (param $length i32) (param $turn i32) (result i32)
    (if (i32.or (i32.ne (i32.load (local.get $place)) (local.get $key)) (i32.ne (i32.load offset=4 (local.get $place)) (local.get $length)))
      (then (return (i32.const 0))))
    (if (i32.and (i32.eqz (i32.load offset=8 (local.get $place))) (i32.ne (i32.load offset=16 (local.get $place)) (local.get $turn)))
      (then (return (i32.const 0))))
    (call $areEqual (i32.add (local.get $place) (i32.const 24)) (local.get $text) (local.get $length)))

  ;; Writes the object that was scanned last behind $written, from behind its bracket to its end, without what lies from $cut to $behind, and with a number in place of each element
  ;; that came before: of objects in arrays, those with no object in them and 64 to 352 bytes. How many were replaced; they have the numbers from 1000000000 on, at most 1000.
  (func (export "shorten") (param $at i32) (param $end i32) (param $cut i32) (param $behind i32) (param $written i32) (result i32)
    (local $count i32) (local $news i32) (local $from i32) (local $start i32) (local $block i32) (local $mask i32) (local $byte i32) (local $depth i32)
    (local $open i64)    ;; as in a comparison
    (local $element i32) ;; where the last object began, if it is an element; otherwise 0
    (local $length i32) (local $next i32) (local $hash i64) (local $key i32) (local $home i32) (local $place i32) (local $turn i32)
    (local.set $turn (i32.add (i32.load (i32.const 12)) (i32.const 1)))
    (i32.store (i32.const 12) (local.get $turn))
    (local.set $start (local.get $at))
    (local.set $from (local.get $at))
    (local.set $open (i64.const 1))
    (local.set $block (i32.const 8190))
    (block $done
      (loop $marks
        (if (i32.eqz (local.get $mask))
          (then
            (local.set $block (i32.add (local.get $block) (i32.const 2)))
            (local.set $mask (i32.load16_u (local.get $block)))
            (br $marks)))
        (local.set $at
          (i32.add (i32.add (local.get $start) (i32.shl (i32.sub (local.get $block) (i32.const 8192)) (i32.const 3))) (i32.ctz (local.get $mask))))
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))
        (br_if $marks (i32.lt_u (i32.sub (local.get $at) (local.get $cut)) (i32.sub (local.get $behind) (local.get $cut))))
        (local.set $byte (i32.load8_u (local.get $at)))
        (br_if $marks (i32.eq (local.get $byte) (i32.const 0x2c)))
        (if (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7b))
          (then
            (if (i32.eq (local.get $byte) (i32.const 0x7b))
              (then (local.set $element (select (i32.const 0) (local.get $at) (i32.and (i32.wrap_i64 (local.get $open)) (i32.const 1))))))
            (if (i32.eq (local.get $depth) (i32.const 62)) (then (return (i32.const 0))))
            (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
            (local.set $open (i64.or (i64.shl (local.get $open) (i64.const 1)) (i64.extend_i32_u (i32.eq (local.get $byte) (i32.const 0x7b)))))
            (br $marks)))
        (br_if $done (i32.eqz (local.get $depth)))
        (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
        (local.set $open (i64.shr_u (local.get $open) (i64.const 1)))
        (br_if $marks (i32.or (i32.eq (local.get $byte) (i32.const 0x5d)) (i32.eqz (local.get $element))))
        (local.set $length (i32.sub (i32.add (local.get $at) (i32.const 1)) (local.get $element)))
        (local.set $next (local.get $element))
        (local.set $element (i32.const 0))
        (br_if $marks (i32.gt_u (i32.sub (local.get $length) (i32.const 64)) (i32.const 288)))
        (br_if $marks (i32.eq (local.get $count) (i32.const 1000)))
        ;; A number would become one with what stands beside it, were that no comma and no bracket.
        (local.set $byte (i32.load8_u (i32.sub (local.get $next) (i32.const 1))))
        (br_if $marks (i32.and (i32.ne (local.get $byte) (i32.const 0x2c)) (i32.ne (local.get $byte) (i32.const 0x5b))))
        (local.set $byte (i32.load8_u offset=1 (local.get $at)))
        (br_if $marks (i32.and (i32.ne (local.get $byte) (i32.const 0x2c)) (i32.ne (local.get $byte) (i32.const 0x5d))))

        (local.set $hash (i64.extend_i32_u (local.get $length)))
        (local.set $key (local.get $next))
        (loop $words
          (local.set $hash (i64.mul (i64.xor (local.get $hash) (i64.load (local.get $key))) (i64.const 0x9e3779b97f4a7c15)))
          (local.set $hash (i64.xor (local.get $hash) (i64.shr_u (local.get $hash) (i64.const 29))))
          (local.set $key (i32.add (local.get $key) (i32.const 8)))
          (br_if $words (i32.le_u (local.get $key) (i32.sub (local.get $at) (i32.const 7)))))
        (local.set $hash (i64.mul (i64.xor (local.get $hash) (i64.load (i32.sub (local.get $at) (i32.const 7)))) (i64.const 0x9e3779b97f4a7c15)))
        (local.set $key (i32.wrap_i64 (i64.shr_u (local.get $hash) (i64.const 32))))
        ;; An element stands at one of two places.
        (local.set $home (i32.and (local.get $key) (i32.const 1023)))
        (local.set $place (i32.add (i32.const 499712) (i32.mul (i32.xor (local.get $home) (i32.const 1)) (i32.const 384))))
        (local.set $home (i32.add (i32.const 499712) (i32.mul (local.get $home) (i32.const 384))))

        (block $parsed
          (br_if $parsed (call $isAt (local.get $place) (local.get $key) (local.get $next) (local.get $length) (local.get $turn)))
          (if (call $isAt (local.get $home) (local.get $key) (local.get $next) (local.get $length) (local.get $turn))
            (then (local.set $place (local.get $home)) (br $parsed)))
          (if (i32.ne (i32.load offset=12 (local.get $home)) (local.get $key))
            (then (i32.store offset=12 (local.get $home) (local.get $key)) (br $marks)))
          (if (i32.lt_u (i32.load offset=16 (local.get $home)) (i32.load offset=16 (local.get $place))) (then (local.set $place (local.get $home))))
          ;; What this object has replaced by a number stays.
          (br_if $marks (i32.eq (i32.load offset=16 (local.get $place)) (local.get $turn)))
          (i32.store (local.get $place) (local.get $key))
          (i32.store offset=4 (local.get $place) (local.get $length))
          (i32.store offset=8 (local.get $place) (i32.const 0))
          (memory.copy (i32.add (local.get $place) (i32.const 24)) (local.get $next) (local.get $length))
          (i32.store offset=311296 (i32.shl (local.get $news) (i32.const 2)) (local.get $place))
          (local.set $news (i32.add (local.get $news) (i32.const 1))))
        (i32.store offset=16 (local.get $place) (local.get $turn))

        (if (i32.and (i32.le_u (local.get $from) (local.get $cut)) (i32.lt_u (local.get $cut) (local.get $next)))
          (then
            (memory.copy (local.get $written) (local.get $from) (i32.sub (local.get $cut) (local.get $from)))
            (local.set $written (i32.add (local.get $written) (i32.sub (local.get $cut) (local.get $from))))
            (local.set $from (local.get $behind))))
        (memory.copy (local.get $written) (local.get $from) (i32.sub (local.get $next) (local.get $from)))
        (local.set $written (i32.add (local.get $written) (i32.sub (local.get $next) (local.get $from))))
        (local.set $from (i32.add (local.get $at) (i32.const 1)))
        (i64.store (local.get $written) (i64.const 0x3030303030303031))
        (i32.store8 offset=7 (local.get $written) (i32.add (i32.const 0x30) (i32.div_u (local.get $count) (i32.const 100))))
        (i32.store8 offset=8 (local.get $written) (i32.add (i32.const 0x30) (i32.rem_u (i32.div_u (local.get $count) (i32.const 10)) (i32.const 10))))
        (i32.store8 offset=9 (local.get $written) (i32.add (i32.const 0x30) (i32.rem_u (local.get $count) (i32.const 10))))
        (local.set $written (i32.add (local.get $written) (i32.const 10)))
        (i32.store offset=278528 (i32.shl (local.get $count) (i32.const 2)) (local.get $place))
        (local.set $count (i32.add (local.get $count) (i32.const 1)))
        (br $marks)))
    (if (i32.and (i32.le_u (local.get $from) (local.get $cut)) (i32.lt_u (local.get $cut) (local.get $end)))
      (then
        (memory.copy (local.get $written) (local.get $from) (i32.sub (local.get $cut) (local.get $from)))
        (local.set $written (i32.add (local.get $written) (i32.sub (local.get $cut) (local.get $from))))
        (local.set $from (local.get $behind))))
    (memory.copy (local.get $written) (local.get $from) (i32.sub (local.get $end) (local.get $from)))
    (i32.store (i32.const 270336) (i32.add (local.get $written) (i32.sub (local.get $end) (local.get $from))))
    (i32.store (i32.const 270340) (local.get $news))
    (local.get $count))

  ;; The address behind the JSON value that begins at $at, if it is certainly valid up to $end, as API servers write values where nobody writes text: ASCII without white space,
  ;; integers, no `\u`, at most 60 deep; otherwise 0. What is next is 0: a value, 1: a value or `]`, 2: a key or `}`, 3: a key, 4: a comma or the end of what is open.
  (func $plainEnd (export "plainEnd") (param $at i32) (param $end i32) (result i32)
    (local $byte i32) (local $next i32) (local $depth i32) (local $plain i32)
    (local $open i64) ;; the lowest bit is 1 in an object, the one above stands for what lies around it, and so on
    (local $text v128)
    (block $no
      (block $done
        (loop $each
          (br_if $done (i32.and (i32.eq (local.get $next) (i32.const 4)) (i32.eqz (local.get $depth))))
          (br_if $no (i32.ge_u (local.get $at) (local.get $end)))
          (local.set $byte (i32.load8_u (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (if (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7d))
            (then
              ;; A bracket closes what it belongs to, behind a value or where nothing was.
              (br_if $no (i32.or (i32.eqz (local.get $next)) (i32.eq (local.get $next) (i32.const 3))))
              (br_if $no (i32.eqz (local.get $depth)))
              (br_if $no (i32.ne (i32.eq (local.get $byte) (i32.const 0x7d)) (i32.and (i32.wrap_i64 (local.get $open)) (i32.const 1))))
              (local.set $open (i64.shr_u (local.get $open) (i64.const 1)))
              (local.set $depth (i32.sub (local.get $depth) (i32.const 1)))
              (local.set $next (i32.const 4))
              (br $each)))
          (if (i32.eq (local.get $next) (i32.const 4))
            (then
              (br_if $no (i32.ne (local.get $byte) (i32.const 0x2c)))
              (local.set $next (select (i32.const 3) (i32.const 0) (i32.and (i32.wrap_i64 (local.get $open)) (i32.const 1))))
              (br $each)))
          (if (i32.eq (local.get $byte) (i32.const 0x22))
            (then
              (block $closed
                (loop $vectors
                  ;; Signed, bytes from 0x80 on are below 0x20, too.
                  (local.set $text (v128.load (local.get $at)))
                  (local.set $plain
                    (i32.ctz
                      (i32.or
                        (i32.const 0x10000)
                        (i8x16.bitmask
                          (v128.or
                            (i8x16.lt_s (local.get $text) (i8x16.splat (i32.const 0x20)))
                            (v128.or (i8x16.eq (local.get $text) (i8x16.splat (i32.const 0x22))) (i8x16.eq (local.get $text) (i8x16.splat (i32.const 0x5c)))))))))
                  (local.set $at (i32.add (local.get $at) (local.get $plain)))
                  (br_if $no (i32.ge_u (local.get $at) (local.get $end)))
                  (br_if $vectors (i32.eq (local.get $plain) (i32.const 16)))
                  (local.set $byte (i32.load8_u (local.get $at)))
                  (local.set $at (i32.add (local.get $at) (i32.const 1)))
                  (br_if $closed (i32.eq (local.get $byte) (i32.const 0x22)))
                  (br_if $no (i32.ne (local.get $byte) (i32.const 0x5c)))
                  (local.set $byte (i32.load8_u (local.get $at)))
                  (local.set $at (i32.add (local.get $at) (i32.const 1)))
                  (br_if $vectors (i32.eq (local.get $byte) (i32.const 0x22)))
                  (br_if $vectors (i32.eq (local.get $byte) (i32.const 0x5c)))
                  (br_if $vectors (i32.eq (local.get $byte) (i32.const 0x6e)))
                  (br $no)))
              (if (i32.lt_u (local.get $next) (i32.const 2))
                (then (local.set $next (i32.const 4)))
                (else
                  ;; `:{},`: most fields of managedFields have an empty object, and another one behind.
                  (if (i32.eq (i32.load (local.get $at)) (i32.const 0x2c7d7b3a))
                    (then (local.set $at (i32.add (local.get $at) (i32.const 4))) (local.set $next (i32.const 3)) (br $each)))
                  (br_if $no (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x3a)))
                  (local.set $at (i32.add (local.get $at) (i32.const 1)))
                  (local.set $next (i32.const 0))))
              (br $each)))
          (br_if $no (i32.ge_u (local.get $next) (i32.const 2)))
          (local.set $next (i32.const 4))
          (if (i32.eq (i32.or (local.get $byte) (i32.const 0x20)) (i32.const 0x7b))
            (then
              (br_if $no (i32.ge_u (local.get $depth) (i32.const 60)))
              (local.set $depth (i32.add (local.get $depth) (i32.const 1)))
              (local.set $plain (i32.eq (local.get $byte) (i32.const 0x7b)))
              (local.set $open (i64.or (i64.shl (local.get $open) (i64.const 1)) (i64.extend_i32_u (local.get $plain))))
              (local.set $next (i32.add (local.get $plain) (i32.const 1)))
              (br $each)))
          ;; A number: a zero in front is followed by nothing.
          (br_if $each (i32.eq (local.get $byte) (i32.const 0x30)))
          (if (i32.lt_u (i32.sub (local.get $byte) (i32.const 0x31)) (i32.const 9))
            (then
              (loop $digits
                (br_if $each (i32.gt_u (i32.sub (i32.load8_u (local.get $at)) (i32.const 0x30)) (i32.const 9)))
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (br $digits))))
          (local.set $plain (i32.load (i32.sub (local.get $at) (i32.const 1))))
          (local.set $at (i32.add (local.get $at) (i32.const 3)))
          (br_if $each (i32.eq (local.get $plain) (i32.const 0x65757274)))
          (br_if $each (i32.eq (local.get $plain) (i32.const 0x6c6c756e)))
          (br_if $no (i32.ne (local.get $plain) (i32.const 0x736c6166)))
          (br_if $no (i32.ne (i32.load8_u (local.get $at)) (i32.const 0x65)))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $each)))
      (return (local.get $at)))
    (i32.const 0)))
