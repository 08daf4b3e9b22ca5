;; Finds the end of the JSON object or array around a place, 64 bytes at a time: scanBytes.ts with vector instructions.
;; `npm run scan-module` assembles it into scanModule.ts.
;;
;; A mask has one bit for each byte of a block, the lowest bit for the first byte. A state is depth << 2 | isEscaped << 1 | isInString.
(module
  ;; The bytes are put here from address 0 on. 64 bytes are read at a time: as many have to be free behind the last one.
  (memory (export "memory") 1)

  ;; Where the four vectors of a block have this byte.
  (func $mask (param $a v128) (param $b v128) (param $c v128) (param $d v128) (param $byte v128) (result i64)
    (i64.or
      (i64.or
        (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $a) (local.get $byte))))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $b) (local.get $byte)))) (i64.const 16)))
      (i64.or
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $c) (local.get $byte)))) (i64.const 32))
        (i64.shl (i64.extend_i32_u (i8x16.bitmask (i8x16.eq (local.get $d) (local.get $byte)))) (i64.const 48)))))

  ;; The address behind the bracket that closes the outermost one; ~state when all bytes from $at to $end lie before it.
  (func (export "scan") (param $at i32) (param $end i32) (param $state i32) (result i32)
    (local $a v128) (local $b v128) (local $c v128) (local $d v128)
    (local $depth i64)
    (local $inString i64) ;; all ones in a string, otherwise 0
    (local $escaped i64)  ;; 1 when the first byte of the block is escaped
    (local $live i64)     ;; the bytes of the block that lie before $end
    (local $left i64) (local $one i64) (local $escapes i64)
    (local $counts i64) (local $quotes i64) (local $outside i64) (local $opens i64) (local $closes i64) (local $before i64)

    (local.set $depth (i64.extend_i32_u (i32.shr_u (local.get $state) (i32.const 2))))
    (local.set $escaped (i64.extend_i32_u (i32.and (i32.shr_u (local.get $state) (i32.const 1)) (i32.const 1))))
    (local.set $inString (i64.sub (i64.const 0) (i64.extend_i32_u (i32.and (local.get $state) (i32.const 1)))))

    (block $done
      (loop $blocks
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $a (v128.load (local.get $at)))
        (local.set $b (v128.load offset=16 (local.get $at)))
        (local.set $c (v128.load offset=32 (local.get $at)))
        (local.set $d (v128.load offset=48 (local.get $at)))
        (local.set $live (i64.const -1))
        (if (i32.lt_u (i32.sub (local.get $end) (local.get $at)) (i32.const 64))
          (then
            (local.set $live
              (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (i32.sub (local.get $end) (local.get $at)))) (i64.const 1)))))

        ;; Backslashes one by one: each that is not escaped itself escapes the byte behind it.
        (local.set $escapes (i64.const 0))
        (local.set $left
          (i64.and
            (i64.and (local.get $live) (i64.xor (local.get $escaped) (i64.const -1)))
            (call $mask (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i8x16.splat (i32.const 0x5c)))))
        (block $noSlash
          (loop $eachSlash
            (br_if $noSlash (i64.eqz (local.get $left)))
            (local.set $one (i64.and (local.get $left) (i64.sub (i64.const 0) (local.get $left))))
            (local.set $escapes (i64.or (local.get $escapes) (local.get $one)))
            (local.set $left (i64.and (local.get $left) (i64.xor (i64.mul (local.get $one) (i64.const 3)) (i64.const -1))))
            (br $eachSlash)))
        ;; An escaped byte counts for nothing, as one behind the end.
        (local.set $counts
          (i64.and
            (local.get $live)
            (i64.xor (i64.or (i64.shl (local.get $escapes) (i64.const 1)) (local.get $escaped)) (i64.const -1))))
        (local.set $quotes
          (i64.and
            (local.get $counts)
            (call $mask (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i8x16.splat (i32.const 0x22)))))
        ;; The block behind begins with an escaped byte when the last live byte of this one escapes.
        (local.set $escaped
          (i64.extend_i32_u
            (i64.ne (i64.const 0) (i64.and (local.get $escapes) (i64.xor (local.get $live) (i64.shr_u (local.get $live) (i64.const 1)))))))

        ;; Each bit becomes the parity of the quotes up to its own: 1 in strings.
        (local.set $quotes (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 1))))
        (local.set $quotes (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 2))))
        (local.set $quotes (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 4))))
        (local.set $quotes (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 8))))
        (local.set $quotes (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 16))))
        (local.set $quotes (i64.xor (local.get $quotes) (i64.shl (local.get $quotes) (i64.const 32))))
        (local.set $quotes (i64.xor (local.get $quotes) (local.get $inString)))
        (local.set $inString (i64.shr_s (local.get $quotes) (i64.const 63)))
        (local.set $outside (i64.and (local.get $counts) (i64.xor (local.get $quotes) (i64.const -1))))

        ;; With 0x20 set, a bracket is the brace of its side.
        (local.set $a (v128.or (local.get $a) (i8x16.splat (i32.const 0x20))))
        (local.set $b (v128.or (local.get $b) (i8x16.splat (i32.const 0x20))))
        (local.set $c (v128.or (local.get $c) (i8x16.splat (i32.const 0x20))))
        (local.set $d (v128.or (local.get $d) (i8x16.splat (i32.const 0x20))))
        (local.set $opens
          (i64.and (local.get $outside) (call $mask (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i8x16.splat (i32.const 0x7b)))))
        (local.set $closes
          (i64.and (local.get $outside) (call $mask (local.get $a) (local.get $b) (local.get $c) (local.get $d) (i8x16.splat (i32.const 0x7d)))))

        ;; Only a block with as many closing brackets as are open can have the end: the depth is looked at behind each of them.
        (if (i64.le_u (local.get $depth) (i64.popcnt (local.get $closes)))
          (then
            (local.set $left (local.get $closes))
            (block $noEnd
              (loop $eachClose
                (br_if $noEnd (i64.eqz (local.get $left)))
                ;; All bits up to the lowest one, with it.
                (local.set $before (i64.xor (local.get $left) (i64.sub (local.get $left) (i64.const 1))))
                (if (i64.eq
                      (i64.add (local.get $depth) (i64.popcnt (i64.and (local.get $opens) (local.get $before))))
                      (i64.popcnt (i64.and (local.get $closes) (local.get $before))))
                  (then (return (i32.add (local.get $at) (i32.wrap_i64 (i64.popcnt (local.get $before)))))))
                (local.set $left (i64.and (local.get $left) (i64.sub (local.get $left) (i64.const 1))))
                (br $eachClose)))))
        (local.set $depth
          (i64.sub (i64.add (local.get $depth) (i64.popcnt (local.get $opens))) (i64.popcnt (local.get $closes))))
        (local.set $at (i32.add (local.get $at) (i32.const 64)))
        (br $blocks)))

    (i32.xor
      (i32.const -1)
      (i32.or
        (i32.shl (i32.wrap_i64 (local.get $depth)) (i32.const 2))
        (i32.or
          (i32.shl (i32.wrap_i64 (local.get $escaped)) (i32.const 1))
          (i32.and (i32.wrap_i64 (local.get $inString)) (i32.const 1))))))
)
