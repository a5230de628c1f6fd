import { foldText } from '../../contract/fold-text.ts'
import type { FollowSyncResult } from '../../contract/follow.ts'
import { FOLLOW_CHANGES_MAX, FOLLOWS_MAX, followMessages } from '../../contract/follow-rules.ts'
import { createUniqueId, deriveId } from '../primitives/unique-id.ts'
import type { SyncedRowKind } from './change-sync.ts'
import { createLiveQuery, type LiveQuery } from './live-query.ts'
import { ANONYMOUS_UID, type EndpointOutboxRow, type FollowsRow, type LocalDatabase, type Tables } from './local-database.ts'
import { takeChangeTimes } from './logical-clock.ts'
import { readWaitingChanges } from './waiting-changes.ts'

/** An artist that is followed, and since when. */
export interface FollowedArtist {
  readonly name: string
  readonly atMs: number
}

/** A change that the rules of followed artists do not allow. Its message is written for the person who made the change. */
export class FollowRefusal extends RangeError {}

/** The artists that an account follows, or, with `ANONYMOUS_UID`, those of a person who is not signed in. */
export interface Follows {
  /** The followed artists; the artist followed last comes first. */
  list(uid: string): LiveQuery<readonly FollowedArtist[]>
  /** Resolves when the change is stored on this device. Rejects if it cannot be stored, with a `FollowRefusal` if it is not allowed. */
  change(uid: string, name: string, follow: boolean): Promise<void>
}

interface FollowEdit {
  artist: string
  follow: boolean
}

const toArtists = (row: FollowsRow | undefined): FollowedArtist[] =>
  (row?.names ?? []).map((name, index) => ({ name, atMs: row?.atMs[index] ?? 0 }))

const toRow = (uid: string, syncCursor: string, artists: readonly FollowedArtist[]): FollowsRow => ({
  ...{ uid, cursor: syncCursor },
  names: artists.map(({ name }) => name),
  atMs: artists.map(({ atMs }) => atMs),
})

/**
 * Returns the followed artists after a change; the artist followed last comes first. An artist that was followed already keeps the same
 * place.
 */
function applyEdit(artists: readonly FollowedArtist[], { artist, follow }: FollowEdit, editedAtMs: number): readonly FollowedArtist[] {
  const foldedName = foldText(artist)
  const known = artists.find(({ name }) => foldText(name) === foldedName)
  if (follow) return known ? artists : [{ name: artist, atMs: editedAtMs }, ...artists]
  return artists.filter((each) => each !== known)
}

/** Reads the artists that an account follows, including waiting changes; the artist followed last comes first. */
export async function readFollows(tables: Tables, uid: string): Promise<readonly FollowedArtist[]> {
  const changes = await readWaitingChanges(tables, uid, 'POST /follow/sync')
  const stored: readonly FollowedArtist[] = toArtists(await tables.follows.get(uid))
  return changes.reduce((artists, { body }) => applyEdit(artists, body, Date.parse(body.at)), stored)
}

/**
 * Stores a change of an account as a waiting change. It is dated `followEdit.atMs`, but later than all changes of the account that this device has made
 * or received.
 */
async function storeEdit(
  tables: Tables,
  uid: string,
  { atMs, ...followEdit }: FollowEdit & { atMs: number },
  changeId: string,
  nowMs: number,
) {
  const { deviceId: device, timeTexts } = await takeChangeTimes(tables, uid, 1, atMs)
  const body = { id: changeId, at: timeTexts[0] ?? '', device, ...followEdit }
  const changeRow: EndpointOutboxRow<'POST /follow/sync'> = {
    ...{ id: changeId, uid, call: 'POST /follow/sync', body, createdAtMs: nowMs },
    ...{ attempts: 0, lastError: '', state: 'waiting' },
  }
  await tables.outbox.put([changeRow])
}

/** Moves the ids of the songs that a person has seen before the login to the account. */
async function moveSeenSongs(tables: Tables, uid: string): Promise<void> {
  const anonymousRow = await tables.followedSongs.get(ANONYMOUS_UID)
  if (!anonymousRow) return
  const accountRow = await tables.followedSongs.get(uid)
  const seenIds = [...new Set([...(accountRow?.seenIds ?? []), ...anonymousRow.seenIds])]
  await tables.followedSongs.put([{ uid, songs: accountRow?.songs ?? anonymousRow.songs, seenIds }])
  await tables.followedSongs.remove([ANONYMOUS_UID])
}

/**
 * Adds the artists that were followed while nobody was signed in to the account `uid`, as waiting changes, in one transaction. Does nothing before the
 * account's artists are on this device: artists that the account follows already are left out, so that they stay followed since the earlier time. The
 * others are followed since the time at which the person followed them, unless the account has changed later. The ids of the changes are derived from
 * the artists, so that the server applies each change once even if this function runs twice.
 */
async function joinAnonymousFollows(database: LocalDatabase, uid: string, nowMs: number): Promise<void> {
  const [anonymousFollows, accountFollows] = await database.read((tables) => tables.follows.getMany([ANONYMOUS_UID, uid]))
  if (!anonymousFollows || !accountFollows) return
  await database.change(async (tables) => {
    const followedNames = new Set((await readFollows(tables, uid)).map(({ name }) => foldText(name)))
    const newArtists = toArtists(await tables.follows.get(ANONYMOUS_UID)).filter(({ name }) => !followedNames.has(foldText(name)))
    for (const { name: artist, atMs } of newArtists.reverse().sort((a, b) => a.atMs - b.atMs))
      await storeEdit(
        tables,
        uid,
        { artist, follow: true, atMs: Math.min(atMs, nowMs) },
        deriveId(`${uid} follow ${atMs} ${artist}`),
        nowMs,
      )
    await tables.follows.remove([ANONYMOUS_UID])
    await moveSeenSongs(tables, uid)
  })
}

interface FollowsDeps {
  database: LocalDatabase
  sendOutbox: () => void
  nowMs?: () => number
}

export function createFollows({ database, sendOutbox, nowMs = Date.now }: FollowsDeps): Follows {
  const listByUid = new Map<string, LiveQuery<readonly FollowedArtist[]>>()
  return {
    list(uid) {
      const list = listByUid.get(uid) ?? createLiveQuery(database, (tables) => readFollows(tables, uid))
      listByUid.set(uid, list)
      return list
    },
    async change(uid, artist, isFollowed) {
      await database.change(async (tables) => {
        const followedArtists = await readFollows(tables, uid)
        const followEdit = { artist, follow: isFollowed }
        const changedArtists = applyEdit(followedArtists, followEdit, nowMs())
        if (changedArtists.length === followedArtists.length) return
        if (changedArtists.length > FOLLOWS_MAX) throw new FollowRefusal(followMessages.full)
        if (uid === ANONYMOUS_UID) await tables.follows.put([toRow(uid, '', changedArtists)])
        else await storeEdit(tables, uid, { ...followEdit, atMs: nowMs() }, createUniqueId(), nowMs())
      })
      if (uid !== ANONYMOUS_UID) sendOutbox()
    },
  }
}

const isTimeText = (text: unknown) => typeof text === 'string' && Number.isFinite(Date.parse(text))

/** The artists that an account follows, as `createChangeSync` synchronizes them. */
export const createSyncedFollows = (
  database: LocalDatabase,
  nowMs: () => number = Date.now,
): SyncedRowKind<'POST /follow/sync', FollowSyncResult> => ({
  call: 'POST /follow/sync',
  prepare: (uid) => joinAnonymousFollows(database, uid, nowMs()),
  countSendable: () => FOLLOW_CHANGES_MAX,
  request: (api, since, changes) => api.call('POST /follow/sync', { ...(since !== undefined && { since }), changes }),
  isResponse: ({ artists, latest }) =>
    (artists === undefined ||
      (Array.isArray(artists) && artists.every(({ artist, at }) => typeof artist === 'string' && isTimeText(at)))) &&
    (latest === undefined || isTimeText(latest)),
  readCursor: (tables, uid) => tables.follows.get(uid),
  isEmpty: ({ artists }) => artists === undefined,
  async store(tables, uid, { cursor, artists }) {
    if (artists === undefined) return
    await tables.follows.put([
      toRow(
        uid,
        cursor,
        artists.map(({ artist, at }) => ({ name: artist, atMs: Date.parse(at) })),
      ),
    ])
  },
  latestMs: ({ latest }) => (latest === undefined ? 0 : Date.parse(latest)),
})
