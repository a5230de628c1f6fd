import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sniffFormat } from './sniff.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'varispeed-sniff-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function sniff(name: string, head: string, bytes = 400) {
  const file = join(folder, 'upload')
  await writeFile(file, Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(bytes)]).subarray(0, bytes))
  return sniffFormat(file, name)
}

const heads = {
  wav: 'RIFF\0\0\0\0WAVEfmt ',
  aiff: 'FORM\0\0\0\0AIFF',
  flac: 'fLaC',
  mov: '\0\0\0\x20ftypM4A ',
  caf: 'caff',
  mp3: '\xff\xfb\x90\0',
  aac: '\xff\xf1\x50\x80',
}

it('the first bytes determine the format of a file, whatever its name is', async () => {
  for (const [format, head] of Object.entries(heads)) expect([format, await sniff('song.mp3', head)]).toEqual([format, format])
  for (const head of ['', 'OggS', '#EXTM3U\nfile:///etc/passwd\n', "ffconcat version 1.0\nfile 'a'", 'PK\x03\x04'])
    expect([head, await sniff('song.mp3', head)]).toEqual([head, undefined])
  expect(await sniff('song.mp3', 'fLa', 3)).toBeUndefined()
})

it('raw samples are recognised only if they are whole frames and their first bytes match no other format', async () => {
  expect(await sniff('song.PCM', '')).toBe('s16le')
  for (const bytes of [0, 2, 399, 401, 402]) expect([bytes, await sniff('song.pcm', '', bytes)]).toEqual([bytes, undefined])
  for (const head of [
    ...Object.values(heads),
    'ID3\x04',
    'OggS',
    '#EXTM3U\n',
    'ffconcat',
    'PK\x03\x04',
    '\x1aE\xdf\xa3',
    '%PDF',
    'RIFF\0\0\0\0AVI ',
  ])
    expect([head, await sniff('song.pcm', head)]).toEqual([head, undefined])
})
