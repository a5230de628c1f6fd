import { randomUUID } from 'node:crypto'
import { applyChanges, normalizeChange } from '../own-playlists/store-changes.ts'
import { updatePlaylistRow } from '../own-playlists/store-sharing.ts'
import type { Database, Queries, SqlTypes } from '../storage/database.ts'
import { deleteWebsite } from '../websites/store.ts'
import type { Act, ActionOutcome, ActionTarget } from './store-actions.ts'
import {
  countOwnerMails,
  countRows,
  createChangeRunner,
  findAddress,
  type OwnedActOptions,
  storeActionAndOwnerMail,
  UNKNOWN_TARGET,
} from './store-owners.ts'

/** Adds a column with the reason why an admin has hidden a website; empty if it is not hidden. */
export const addHiddenToWebsites = ({ text }: SqlTypes): string[] => [`alter table websites add column hidden ${text} not null default ''`]

const findWebsite = (queries: Queries, domainName: string) =>
  queries
    .selectFrom('website_names as n')
    .innerJoin('websites as w', 'w.uid', 'n.uid')
    .select(['w.uid', 'w.name', 'w.hidden'])
    .where('n.domain_name', '=', domainName)
    .where('n.until', 'is', null)
    .executeTakeFirst()

/** Finds a playlist with a public page, or a deleted one that its owner can restore with its page. */
const findSharedPlaylist = (queries: Queries, shareToken: string) =>
  queries
    .selectFrom('own_playlists')
    .select(['uid', 'id', 'title', 'hidden'])
    .where('share_token', '=', shareToken)
    .where(({ eb, or }) => or([eb('deleted', '=', 0), eb('hidden', '=', '')]))
    .executeTakeFirst()

type OwnedChange = 'hidden' | 'shown' | 'deleted'

/** Returns the outcome of a change that has been made already; `undefined` for others. `hiddenReason` is the reason why the target is hidden, or empty. */
function findAlreadyDone(target: ActionTarget, hiddenReason: string, requestedState: OwnedChange): ActionOutcome | undefined {
  if (requestedState === 'hidden' && hiddenReason !== '')
    return { kind: 'already', target: { ...target, hidden: { reason: hiddenReason } } }
  return requestedState === 'shown' && hiddenReason === '' ? { kind: 'already', target } : undefined
}

/** The changes by admins of the websites and shared playlists of accounts. */
export function createOwnedModeration(database: Database) {
  const createOwnedChange = createChangeRunner(database)

  const changeWebsite = (
    domainName: string,
    options: OwnedActOptions,
    requestedState: OwnedChange,
    applyChange: (queries: Queries, uid: string, act: Act) => Promise<unknown>,
  ) =>
    createOwnedChange(async (queries) => {
      const ownedWebsite = await findWebsite(queries, domainName)
      if (ownedWebsite === undefined) return UNKNOWN_TARGET
      const actionTarget = { kind: 'site' as const, id: domainName, title: ownedWebsite.name }
      const doneOutcome = findAlreadyDone(actionTarget, ownedWebsite.hidden, requestedState)
      if (doneOutcome !== undefined) return { outcome: doneOutcome }
      const ownerAddress = await findAddress(queries, ownedWebsite.uid)
      const songCount = await countRows(queries, 'website_songs', ownedWebsite.uid)
      return {
        outcome: { kind: 'done', target: actionTarget, effects: { songs: songCount, ...countOwnerMails(ownerAddress, options) } },
        write: async (writeQueries) => {
          await applyChange(writeQueries, ownedWebsite.uid, options.act)
          await storeActionAndOwnerMail(writeQueries, options, ownerAddress, { target: `site ${domainName}`, outcome: requestedState })
        },
      }
    }, options.isDryRun)

  const changeList = (
    shareToken: string,
    options: OwnedActOptions,
    requestedState: OwnedChange,
    applyChange: (queries: Queries, list: { uid: string; id: string }, act: Act) => Promise<unknown>,
  ) =>
    createOwnedChange(async (queries) => {
      const sharedPlaylist = await findSharedPlaylist(queries, shareToken)
      if (sharedPlaylist === undefined) return UNKNOWN_TARGET
      const actionTarget = { kind: 'list' as const, id: shareToken, title: sharedPlaylist.title }
      const doneOutcome = findAlreadyDone(actionTarget, sharedPlaylist.hidden, requestedState)
      if (doneOutcome !== undefined) return { outcome: doneOutcome }
      const ownerAddress = await findAddress(queries, sharedPlaylist.uid)
      return {
        outcome: { kind: 'done', target: actionTarget, effects: countOwnerMails(ownerAddress, options) },
        write: async (writeQueries) => {
          await applyChange(writeQueries, sharedPlaylist, options.act)
          await storeActionAndOwnerMail(writeQueries, options, ownerAddress, { target: `list ${shareToken}`, outcome: requestedState })
        },
      }
    }, options.isDryRun)

  return {
    /** Hides a website from its visitors until it is shown again. Its owner keeps it. */
    hideWebsite: (domainName: string, options: OwnedActOptions) =>
      changeWebsite(domainName, options, 'hidden', (queries, uid, { reason }) =>
        queries.updateTable('websites').set({ hidden: reason }).where('uid', '=', uid).execute(),
      ),
    showWebsite: (domainName: string, options: OwnedActOptions) =>
      changeWebsite(domainName, options, 'shown', (queries, uid) =>
        queries.updateTable('websites').set({ hidden: '' }).where('uid', '=', uid).execute(),
      ),
    deleteWebsite: (domainName: string, options: OwnedActOptions) =>
      changeWebsite(domainName, options, 'deleted', (queries, uid, { atMs }) => deleteWebsite(queries, uid, atMs)),

    /** Hides the public page of a shared playlist. Its owner keeps the playlist, and reads the reason. */
    hideList: (token: string, options: OwnedActOptions) =>
      changeList(token, options, 'hidden', (queries, list, { reason }) => updatePlaylistRow(queries, list, { hidden: reason })),
    showList: (token: string, options: OwnedActOptions) =>
      changeList(token, options, 'shown', (queries, list) => updatePlaylistRow(queries, list, { hidden: '' })),
    /** Deletes a shared playlist, on its owner's devices too. Once the owner restores it, its public page stays hidden. */
    deleteList: (shareToken: string, options: OwnedActOptions) =>
      changeList(shareToken, options, 'deleted', async (queries, { uid, id }, { reason, atMs }) => {
        await updatePlaylistRow(queries, { uid, id }, { hidden: reason })
        const deletion = { id: randomUUID(), l: id, at: new Date(atMs).toISOString(), device: randomUUID(), deleted: true }
        await applyChanges({ queries, dialect: database.dialect }, uid, [normalizeChange(deletion, atMs)], new Set(), atMs)
      }),
  }
}
