import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Value } from 'typebox/value'
import { expect, it } from 'vitest'
import { brands } from '../../brands/registry.ts'
import { isExampleMember } from '../../contract/channel.ts'
import { importRowSchemas } from '../../contract/import.ts'
import { socialFields } from '../../contract/website-rules.ts'
import { createDemoCatalogueWithRecentDates, demoCatalogue, writeDemoCatalogueFile } from './demo.ts'

it('the demo matches the import schema', () => {
  for (const [index, row] of demoCatalogue.playlists.entries())
    expect(Value.Errors(importRowSchemas.playlists, row), `playlists[${index}]`).toEqual([])
  for (const [index, row] of demoCatalogue.songs.entries()) expect(Value.Errors(importRowSchemas.songs, row), `songs[${index}]`).toEqual([])
  for (const [index, row] of demoCatalogue.members.entries())
    expect(Value.Errors(importRowSchemas.members, row), `members[${index}]`).toEqual([])
  for (const [index, row] of demoCatalogue.supporters.entries())
    expect(Value.Errors(importRowSchemas.supporters, row), `supporters[${index}]`).toEqual([])
  for (const [index, row] of demoCatalogue.feed.entries()) expect(Value.Errors(importRowSchemas.feed, row), `feed[${index}]`).toEqual([])
})

it('the demo has a minimum number of rows of each kind', () => {
  expect(demoCatalogue.playlists.length).toBeGreaterThanOrEqual(12)
  expect(demoCatalogue.songs.length).toBeGreaterThanOrEqual(150)
  expect(demoCatalogue.feed.length).toBeGreaterThanOrEqual(6)
  expect(demoCatalogue.members.filter((member) => member.academy !== true).length).toBeGreaterThanOrEqual(12)
  expect(demoCatalogue.members.some((member) => member.academy === true)).toBe(true)
  expect(demoCatalogue.playlists.filter((playlist) => playlist.home === true)).toHaveLength(8)
  expect(demoCatalogue.playlists.filter((playlist) => playlist.special === true)).toHaveLength(2)
  expect(demoCatalogue.supporters.map((supporter) => supporter.domain_name)).toContain('aria')
})

it("the demo's songs are unique, and its playlists contain only known songs", () => {
  const songIds = new Set(demoCatalogue.songs.map((song) => song.youtube_id))
  expect(songIds.size).toBe(demoCatalogue.songs.length)
  expect(new Set(demoCatalogue.playlists.map((playlist) => playlist.id)).size).toBe(demoCatalogue.playlists.length)
  for (const playlist of demoCatalogue.playlists) {
    expect(playlist.songs.length, playlist.id).toBeGreaterThan(0)
    expect(new Set(playlist.songs).size, playlist.id).toBe(playlist.songs.length)
    expect(playlist.songs.filter((id) => !songIds.has(id))).toEqual([])
  }
})

it.each(brands)("the demo has songs with lengths for the radio of $id, from the brand's own music", (brand) => {
  const categoryIds = brand.settings.RADIO_MAIN.split(',').map((source) => source.replace(/^category:/, ''))
  const ownSongs = demoCatalogue.songs.filter((song) => categoryIds.includes(song.category_id))
  expect(ownSongs.length).toBeGreaterThan(20)
  expect(demoCatalogue.songs.filter((song) => song.duration === undefined)).toEqual([])
})

it('each category of the demo has a single name, and no playlist has the id of a category', () => {
  const categoryNameById = new Map<string, string>()
  for (const row of [...demoCatalogue.songs, ...demoCatalogue.playlists]) {
    expect(categoryNameById.get(row.category_id) ?? row.category_name).toBe(row.category_name)
    categoryNameById.set(row.category_id, row.category_name)
  }
})

it('the demo marks the names of members and supporters as examples', () => {
  for (const demoPerson of [
    ...demoCatalogue.members.map((member) => member.channel_name),
    ...demoCatalogue.supporters.map((supporter) => supporter.name),
  ]) {
    expect(demoPerson).toMatch(/\(example\)$/)
  }
  expect(new Set(demoCatalogue.members.map((member) => member.channel_id)).size).toBe(demoCatalogue.members.length)
  expect(demoCatalogue.members.filter((member) => !isExampleMember(member))).toEqual([])
  for (const demoSupporter of demoCatalogue.supporters) {
    if (demoSupporter.about_me !== undefined) expect(demoSupporter.about_me).toContain('example')
    const links = socialFields.flatMap((field) => demoSupporter[field] ?? [])
    expect(links.filter((link) => link !== 'https://www.youtube.com/' && new URL(link).hostname !== 'example.com')).toEqual([])
  }
})

it("the demo's first supporter has a complete site", () => {
  expect(demoCatalogue.supporters[0]).toMatchObject({
    domain_name: 'aria',
    subtitle: expect.any(String),
    about_me: expect.any(String),
    social_text: expect.any(String),
    youtube: expect.any(String),
  })
})

it('the demo names a source for every video id', async () => {
  const sources = await readFile(new URL('SOURCES.md', import.meta.url), 'utf8')
  const listedIds = new Set([...sources.matchAll(/^\| `([\w-]{11})` \|/gm)].map((match) => match[1]))
  expect(listedIds).toEqual(new Set(demoCatalogue.songs.map((song) => song.youtube_id)))
})

it.each([Date.UTC(2026, 10, 20, 12), Date.UTC(2031, 1, 1), Date.UTC(2026, 0, 31, 3)])(
  'the newest date of the demo is less than a day before the start of the server, at %d',
  (nowMs) => {
    const freshCatalogue = createDemoCatalogueWithRecentDates(nowMs)
    const songAgeDays = freshCatalogue.songs.map((song) => (nowMs - Date.parse(song.date_added)) / 86_400_000)
    expect(Math.min(...songAgeDays)).toBeGreaterThanOrEqual(0)
    expect(Math.min(...songAgeDays)).toBeLessThan(1)
    expect(songAgeDays.filter((age) => age < 14).length).toBeGreaterThan(5)
    expect(Math.max(...songAgeDays)).toBeGreaterThan(600)
    expect(freshCatalogue.feed.every((item) => Date.parse(item.date) <= nowMs)).toBe(true)
  },
)

it('the demo writes an import file', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'demo-'))
  try {
    const importPath = await writeDemoCatalogueFile(join(dataDir, 'new'), Date.UTC(2027, 0, 1))
    expect(JSON.parse(await readFile(importPath, 'utf8'))).toEqual(createDemoCatalogueWithRecentDates(Date.UTC(2027, 0, 1)))
  } finally {
    await rm(dataDir, { recursive: true })
  }
})
