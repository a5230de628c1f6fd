import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareEntries } from './entry-positions.ts'
import { applyEditsToPlaylists, type OwnPlaylist, type OwnPlaylistEntry } from './own-playlist-rows.ts'

const anyEntryId = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')
const anyPosition = fc.constantFrom('1', '2', '3', '31', '4')
const anyEntries = fc.uniqueArray(fc.record({ e: anyEntryId, songId: fc.constantFrom('s', 't'), position: anyPosition }), {
  selector: ({ e }) => e,
})
const anyChange = fc.record(
  { e: anyEntryId, s: fc.constantFrom('s', 't'), position: anyPosition, removed: fc.boolean() },
  { requiredKeys: ['e'] },
)

it('own playlist rows: after changes of entries, all entries are in order, and the changed entries have their new values', () => {
  fc.assert(
    fc.property(anyEntries, fc.array(anyChange, { maxLength: 6 }), (initialEntries, entryChanges) => {
      const playlist: OwnPlaylist = { id: 'l', title: 'L', description: '', addedAtMs: 0, entries: initialEntries.toSorted(compareEntries) }
      const expectedEntryById = new Map<string, OwnPlaylistEntry>(initialEntries.map((entry) => [entry.e, entry]))
      for (const { e, s, position, removed: isRemoved } of entryChanges) {
        const expectedEntry = expectedEntryById.get(e)
        const songId = expectedEntry?.songId ?? s
        if (isRemoved) expectedEntryById.delete(e)
        else if (songId !== undefined) expectedEntryById.set(e, { e, songId, position: position ?? expectedEntry?.position ?? '' })
      }
      const [changed] = applyEditsToPlaylists([playlist], [{ edit: { l: 'l', entries: entryChanges }, atMs: 1 }])
      expect(changed?.entries).toEqual([...expectedEntryById.values()].sort(compareEntries))
    }),
  )
})
