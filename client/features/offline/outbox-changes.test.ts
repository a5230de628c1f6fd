import { expect, it } from 'vitest'
import type { OutboxRow } from '../../hooks/outbox.ts'
import { groupOutboxRows } from './outbox-changes.ts'

const common = { uid: 'ann', createdAtMs: 0, attempts: 0, lastError: '', state: 'waiting' } as const
const changedAt = '2026-03-01T12:00:00.000Z'
const favoriteRow = (id: string, s: string, favorite: boolean): OutboxRow => ({
  ...common,
  id,
  call: 'POST /favorite/sync',
  body: { id, s, favorite, at: changedAt, device: 'd' },
})
const playlistRow = (id: string, l: string, title?: string): OutboxRow => ({
  ...common,
  id,
  call: 'POST /list/sync',
  body: { id, at: changedAt, device: 'd', l, ...(title !== undefined && { title }) },
})

it('outbox changes: the changes of one song or playlist are listed as one change, with the last title', () => {
  const rows = [favoriteRow('1', 's', true), playlistRow('2', 'l', 'Old'), favoriteRow('3', 's', false), playlistRow('4', 'l', 'New')]
  expect(groupOutboxRows([...rows, playlistRow('5', 'l'), playlistRow('6', 'm')])).toMatchObject([
    { rowIds: ['1', '3'], kind: 'removed', subject: 's', titleId: 's' },
    { rowIds: ['2', '4', '5'], kind: 'playlist', subject: 'New', titleId: 'l' },
    { rowIds: ['6'], kind: 'playlist', subject: '', titleId: 'm' },
  ])
})

it('outbox changes: a refused change of a playlist is listed separately from the waiting changes', () => {
  const refusedRow: OutboxRow = { ...playlistRow('1', 'l', 'A'), state: 'failed', lastError: 'No.' }
  expect(groupOutboxRows([refusedRow, playlistRow('2', 'l')])).toMatchObject([
    { rowIds: ['1'], refusal: 'No.' },
    { rowIds: ['2'], refusal: undefined },
  ])
})
