import { expect, it } from 'vitest'
import { fillNamePattern } from '../file-name.ts'
import { findFreeFileName } from './batch-names.ts'

const nameFields = {
  name: 'city/lights',
  title: 'City Lights 🌃',
  artist: 'K/DA: Ü',
  preset: 'Nightcore',
  rate: '1.25',
  speed: '1.25',
  pitch: '0',
  bpm: '150',
  number: '07',
}

it.each([
  ['{name} ({preset} {rate})', 'city lights (Nightcore 1.25).mp3'],
  ['{rate}', '1.25.mp3'],
  ['{number} {artist} - {title}', '07 K DA Ü - City Lights 🌃.mp3'],
  ['{unknown} {constructor}', '{unknown} {constructor}.mp3'],
  ['  ..  ', 'song.mp3'],
  ['', 'song.mp3'],
  ['../{name}\\x', 'city lights x.mp3'],
])('fillNamePattern: the pattern %o results in the name %o', (pattern, expected) => {
  expect(fillNamePattern(pattern, nameFields, 'mp3')).toBe(expected)
})

it('fillNamePattern: a long name is cut, and the extension stays', () => {
  const name = fillNamePattern('{name}'.repeat(100), nameFields, 'flac')
  expect(name).toMatch(/\.flac$/)
  expect(new TextEncoder().encode(name).length).toBeLessThan(255)
})

it('findFreeFileName: taken names are numbered', async () => {
  const taken = new Set(['a.mp3', 'a (2).mp3'])
  expect(await findFreeFileName('a.mp3', async (name) => taken.has(name))).toBe('a (3).mp3')
})
