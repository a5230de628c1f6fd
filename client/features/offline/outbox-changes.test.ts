import { expect, it } from 'vitest'
import type { OutboxRow } from '../../hooks/outbox.ts'
import { groupOutboxRows } from './outbox-changes.ts'

const commonFields = { uid: 'ann', createdAtMs: 0, attempts: 0, lastError: '', state: 'waiting' } as const
const changedAt = '2026-03-01T12:00:00.000Z'
const createFavoriteRow = (rowId: string, songId: string, isFavorite: boolean): OutboxRow => ({
  ...commonFields,
  id: rowId,
  call: 'POST /favorite/sync',
  body: { id: rowId, s: songId, favorite: isFavorite, at: changedAt, device: 'd' },
})
const createPlaylistRow = (rowId: string, playlistId: string, playlistTitle?: string): OutboxRow => ({
  ...commonFields,
  id: rowId,
  call: 'POST /list/sync',
  body: { id: rowId, at: changedAt, device: 'd', l: playlistId, ...(playlistTitle !== undefined && { title: playlistTitle }) },
})

it('outbox changes: the changes of one song or playlist are listed as one change, with the last title', () => {
  const outboxRows = [
    createFavoriteRow('1', 's', true),
    createPlaylistRow('2', 'l', 'Old'),
    createFavoriteRow('3', 's', false),
    createPlaylistRow('4', 'l', 'New'),
  ]
  expect(groupOutboxRows([...outboxRows, createPlaylistRow('5', 'l'), createPlaylistRow('6', 'm')])).toMatchObject([
    { rowIds: ['1', '3'], kind: 'removed', subjectText: 's', titleId: 's' },
    { rowIds: ['2', '4', '5'], kind: 'playlist', subjectText: 'New', titleId: 'l' },
    { rowIds: ['6'], kind: 'playlist', subjectText: '', titleId: 'm' },
  ])
})

it('outbox changes: a refused change of a playlist is listed separately from the waiting changes', () => {
  const refusedRow: OutboxRow = { ...createPlaylistRow('1', 'l', 'A'), state: 'failed', lastError: 'No.' }
  expect(groupOutboxRows([refusedRow, createPlaylistRow('2', 'l')])).toMatchObject([
    { rowIds: ['1'], refusalText: 'No.' },
    { rowIds: ['2'], refusalText: undefined },
  ])
})
