import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { sniffFormat } from './sniff.ts'

let folderPath: string
beforeAll(async () => {
  folderPath = await mkdtemp(join(tmpdir(), 'varispeed-sniff-'))
})
afterAll(() => rm(folderPath, { recursive: true, force: true }))

async function sniffBytes(fileName: string, bytes: Buffer) {
  const file = join(folderPath, 'upload')
  await writeFile(file, bytes)
  return sniffFormat(file, fileName)
}
const sniffHead = (name: string, head: string, bytes = 400) =>
  sniffBytes(name, Buffer.concat([Buffer.from(head, 'latin1'), Buffer.alloc(bytes)]).subarray(0, bytes))

const fileHeads = {
  wav: 'RIFF\0\0\0\0WAVEfmt ',
  aiff: 'FORM\0\0\0\0AIFF',
  flac: 'fLaC',
  mov: '\0\0\0\x20ftypM4A ',
  caf: 'caff',
}

/** Returns packets that begin with `header` and have `bytes` bytes each. */
const createPackets = (header: string, bytes: number) =>
  Buffer.concat(Array.from({ length: 4 }, () => Buffer.concat([Buffer.from(header, 'latin1'), Buffer.alloc(bytes)]).subarray(0, bytes)))
const packetFiles = { mp3: createPackets('\xff\xfb\x90\0', 417), aac: createPackets('\xff\xf1\x50\x80\x10\x1f\xfc', 128) }

it('the content determines the format of a file, whatever its name is', async () => {
  for (const [format, head] of Object.entries(fileHeads)) expect([format, await sniffHead('song.mp3', head)]).toEqual([format, format])
  for (const head of ['', 'OggS', '#EXTM3U\nfile:///etc/passwd\n', "ffconcat version 1.0\nfile 'a'", 'PK\x03\x04', '\xff\xfb\x90\0'])
    expect([head, await sniffHead('song.mp3', head)]).toEqual([head, undefined])
  expect(await sniffHead('song.mp3', 'fLa', 3)).toBeUndefined()
})

it('the format of a file is detected even if tags or other bytes precede the content', async () => {
  const id3Tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x20'), Buffer.alloc(32)])
  for (const [format, content] of Object.entries(packetFiles))
    for (const before of [Buffer.alloc(0), id3Tag, Buffer.alloc(1000), content.subarray(50)])
      expect(await sniffBytes('song.flac', Buffer.concat([before, content]))).toBe(format)
  expect(await sniffBytes('song.mp3', Buffer.concat([id3Tag, Buffer.from('fLaC'), Buffer.alloc(99)]))).toBe('flac')
})

it('raw samples are recognised only if they consist of whole frames and match no other format', async () => {
  expect(await sniffHead('song.PCM', '')).toBe('s16le')
  expect(await sniffHead('song.pcm', '\xff\xfb\x90\0')).toBe('s16le')
  for (const bytes of [0, 2, 399, 401, 402]) expect([bytes, await sniffHead('song.pcm', '', bytes)]).toEqual([bytes, undefined])
  for (const [format, head] of Object.entries(fileHeads)) expect(await sniffHead('song.pcm', head)).toBe(format)
  for (const [format, content] of Object.entries(packetFiles)) expect(await sniffBytes('song.pcm', content)).toBe(format)
  for (const head of ['ID3\x04', 'OggS', '#EXTM3U\n', 'ffconcat', 'PK\x03\x04', '\x1aE\xdf\xa3', '%PDF', 'RIFF\0\0\0\0AVI '])
    expect([head, await sniffHead('song.pcm', head)]).toEqual([head, undefined])
})
