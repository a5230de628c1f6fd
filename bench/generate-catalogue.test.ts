import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Schema from 'typebox/schema'
import { expect, test } from 'vitest'
import { type ImportRow, importRows } from '../contract/import.ts'
import { benchSong, benchSongId, generateCatalogue } from './generate-catalogue.ts'

test('the file holds what was asked for, every row fits the import, and playlists name songs that are there', async () => {
  const work = await mkdtemp(join(tmpdir(), 'varispeed-generate-'))
  const file = join(work, 'catalogue.json')
  await generateCatalogue(file, { songs: 12_000, playlists: 60 })
  const written: { songs: ImportRow<'songs'>[]; playlists: ImportRow<'playlists'>[] } = JSON.parse(await readFile(file, 'utf8'))
  await rm(work, { recursive: true })
  expect(written.songs).toHaveLength(12_000)
  expect(written.playlists.map((each) => each.songs.length).slice(0, 2)).toEqual([10_000, 100])
  const ids = new Set(written.songs.map((song) => song.youtube_id))
  expect(ids.size).toBe(12_000)
  const songRow = Schema.Compile(importRows.songs)
  const playlistRow = Schema.Compile(importRows.playlists)
  expect(written.songs.filter((song) => !songRow.Check(song))).toEqual([])
  expect(written.playlists.filter((playlist) => !playlistRow.Check(playlist))).toEqual([])
  for (const playlist of written.playlists) expect(playlist.songs.every((id) => ids.has(id))).toBe(true)
})

test('a row depends on its index alone', () => {
  expect(benchSong(41)).toEqual(benchSong(41))
  expect(benchSongId(999_999)).toMatch(/^[\w-]{11}$/)
})
