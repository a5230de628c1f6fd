import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Schema from 'typebox/schema'
import { expect, test } from 'vitest'
import { type ImportRow, importRowSchemas } from '../contract/import.ts'
import { createBenchSong, createBenchSongId, generateCatalogue } from './generate-catalogue.ts'

test('the file has the requested numbers of rows, every row is valid, and playlists refer to existing songs', async () => {
  const workDir = await mkdtemp(join(tmpdir(), 'varispeed-generate-'))
  const cataloguePath = join(workDir, 'catalogue.json')
  await generateCatalogue(cataloguePath, { songs: 12_000, playlists: 60 })
  const writtenCatalogue: { songs: ImportRow<'songs'>[]; playlists: ImportRow<'playlists'>[] } = JSON.parse(
    await readFile(cataloguePath, 'utf8'),
  )
  await rm(workDir, { recursive: true })
  expect(writtenCatalogue.songs).toHaveLength(12_000)
  expect(writtenCatalogue.playlists.map((each) => each.songs.length).slice(0, 2)).toEqual([10_000, 100])
  const songIds = new Set(writtenCatalogue.songs.map((song) => song.youtube_id))
  expect(songIds.size).toBe(12_000)
  const songRow = Schema.Compile(importRowSchemas.songs)
  const playlistRow = Schema.Compile(importRowSchemas.playlists)
  expect(writtenCatalogue.songs.filter((song) => !songRow.Check(song))).toEqual([])
  expect(writtenCatalogue.playlists.filter((playlist) => !playlistRow.Check(playlist))).toEqual([])
  for (const playlist of writtenCatalogue.playlists) expect(playlist.songs.every((id) => songIds.has(id))).toBe(true)
})

test('the content of a generated row depends only on the index of the row', () => {
  expect(createBenchSong(41)).toEqual(createBenchSong(41))
  expect(createBenchSongId(999_999)).toMatch(/^[\w-]{11}$/)
})
