import fc from 'fast-check'
import { expect, it } from 'vitest'
import { packFiles, unpackFiles } from './program-pack.ts'

const anyFiles = fc.array(fc.record({ path: fc.string(), bytes: fc.uint8Array({ maxLength: 50 }).map((bytes) => new Uint8Array(bytes)) }))

it('a pack contains the files that were packed', () => {
  fc.assert(
    fc.property(anyFiles, (packed) => {
      expect(unpackFiles(packFiles(packed))).toEqual(packed)
    }),
  )
})

it('a truncated pack, a pack with further bytes and a file that is not a pack are refused', () => {
  const packBytes = packFiles([{ path: 'assets/a.js', bytes: new Uint8Array(10) }])
  expect(() => unpackFiles(packBytes.slice(0, -1))).toThrow(RangeError)
  expect(() => unpackFiles(new Uint8Array([...packBytes, 0]))).toThrow(RangeError)
  expect(() => unpackFiles(packBytes.slice(0, 6))).toThrow()
  expect(() => unpackFiles(new TextEncoder().encode('<!doctype html><title>Log in</title>'))).toThrow()
  expect(() => unpackFiles(new Uint8Array())).toThrow(RangeError)
})
