import { createHash } from 'node:crypto'
import type { WebsiteLink } from '../../contract/website.ts'
import { type AccentColor, type ClickTarget, clickTargets, type WebsiteTexts } from '../../contract/website-rules.ts'
import { DAY_MS } from '../durations.ts'
import { mayShowWebsite } from '../payments/store-subscribers.ts'
import { bumpRevision, type Database, type Queries, type SqlTypes, serialiseTransactions } from '../storage/database.ts'

interface WebsitesTable {
  uid: string
  /** The account's verified address, to which roles may have been granted; empty if it is not verified. */
  email: string
  name: string
  enabled: number
  /** The texts of the website that have no column of their own: JSON, by the name of the field. */
  texts: string
  /** Why an admin has hidden the website from its visitors; empty if it is not hidden. */
  hidden: string
}

/** The domain names that lead to a website: the current one, whose `until` is null, and earlier ones until a time in epoch milliseconds. */
interface WebsiteNamesTable {
  domain_name: string
  uid: string
  until: number | null
}

/** The number of clicks on a website, by day (counted from 1970-01-01 UTC) and by the link that was clicked. */
interface WebsiteClicksTable {
  uid: string
  day: number
  target: string
  count: number
}

/** The songs that an owner has chosen. `title` is empty for a song of the catalogue. */
interface WebsiteSongsTable {
  uid: string
  position: number
  youtube_id: string
  title: string
}

/** The uploaded banners and portraits of websites, each in a table of its own. */
interface WebsitePicturesTable {
  uid: string
  hash: string
  base64: string
}

declare module '../storage/schema.ts' {
  interface Tables {
    websites: WebsitesTable
    website_names: WebsiteNamesTable
    website_clicks: WebsiteClicksTable
    website_songs: WebsiteSongsTable
    website_banners: WebsitePicturesTable
    website_portraits: WebsitePicturesTable
  }
}

export const createWebsiteTables = ({ text }: SqlTypes): string[] => [
  `create table websites (
    uid ${text} primary key, email ${text} not null, name ${text} not null, enabled integer not null, texts ${text} not null)`,
  `create table website_names (domain_name ${text} primary key, uid ${text} not null, until bigint)`,
  'create index website_names_by_account on website_names (uid)',
  `create table website_clicks (
    uid ${text} not null, day integer not null, target ${text} not null, count bigint not null, primary key (uid, day, target))`,
]

export const createWebsiteBannersTable = ({ text }: SqlTypes): string[] => [
  `create table website_banners (uid ${text} primary key, hash ${text} not null, base64 ${text} not null)`,
  'create index website_banners_by_hash on website_banners (hash)',
]

export const createWebsiteSongsTable = ({ text }: SqlTypes): string[] => [
  `create table website_songs (
    uid ${text} not null, position integer not null, youtube_id ${text} not null, title ${text} not null, primary key (uid, position))`,
  'create index website_songs_by_id on website_songs (youtube_id)',
]

export const createWebsitePortraitsTable = ({ text }: SqlTypes): string[] => [
  `create table website_portraits (uid ${text} primary key, hash ${text} not null, base64 ${text} not null)`,
  'create index website_portraits_by_hash on website_portraits (hash)',
]

/** The pictures that an owner can upload. */
export type WebsitePictureKind = 'banner' | 'portrait'
const pictureTables = { banner: 'website_banners', portrait: 'website_portraits' } as const

/** A song that the owner of a website has chosen. */
export type ChosenSong = Pick<WebsiteSongsTable, 'youtube_id' | 'title'>

export interface StoredWebsite extends WebsiteTexts {
  uid: string
  /** The owner's email address if it is verified; otherwise empty. */
  email: string
  enabled: 'yes' | 'no'
  links: WebsiteLink[]
  accent: AccentColor
  songs: ChosenSong[]
}

/**
 * Cuts stored website names to 60 characters. An earlier version used a longer domain name as the name, with which the owner could not save the
 * form again.
 */
export const shortenWebsiteNames = (): string[] => ['update websites set name = substr(name, 1, 60) where length(name) > 60']

/** The time in milliseconds for which an earlier domain name redirects to the website, and nobody else can have it. */
export const NAME_REDIRECT_MS = 30 * DAY_MS

/**
 * The time in milliseconds for which a domain name of a deleted account is not available to anybody, because visitors would mistake the new site
 * for the old one.
 */
export const DELETED_NAME_RESERVED_MS = 90 * DAY_MS

/** `taken`: somebody else has the domain name. `too-many`: the account holds too many earlier names. `exists`: the account has a website already. */
export type DomainNameOutcome = 'done' | 'taken' | 'too-many' | 'exists'

/** The maximum number of earlier domain names that stay reserved for an account, which prevents hoarding. */
const EARLIER_NAMES_MAX = 3

/** The uid in rows of domain names whose account was deleted. */
const DELETED_ACCOUNT_UID = ''

/** Deletes an account's website with its clicks, songs and pictures. Its domain names are not available to anybody for `DELETED_NAME_RESERVED_MS`. */
export async function deleteWebsite(queries: Queries, uid: string, deletedAtMs: number): Promise<void> {
  const { numDeletedRows } = await queries.deleteFrom('websites').where('uid', '=', uid).executeTakeFirst()
  await queries
    .updateTable('website_names')
    .set({ uid: DELETED_ACCOUNT_UID, until: deletedAtMs + DELETED_NAME_RESERVED_MS })
    .where('uid', '=', uid)
    .execute()
  await queries.deleteFrom('website_clicks').where('uid', '=', uid).execute()
  for (const table of Object.values(pictureTables)) await queries.deleteFrom(table).where('uid', '=', uid).execute()
  await queries.deleteFrom('website_songs').where('uid', '=', uid).execute()
  if (numDeletedRows > 0n) await bumpRevision(queries)
}

const isClickTarget = (target: string): target is ClickTarget => clickTargets.some((each) => each === target)

/** Websites that were saved by an earlier version have no links and no accent. */
type OtherTexts = Omit<WebsiteTexts, 'name' | 'domain_name'> & Partial<Pick<StoredWebsite, 'links' | 'accent'>>

function toStoredWebsite({ texts, name, enabled, uid, email }: WebsitesTable, domainName: string, songs: ChosenSong[]): StoredWebsite {
  // The cast is safe, because `save` wrote the text.
  const otherTexts = JSON.parse(texts) as OtherTexts
  return { links: [], accent: '', ...otherTexts, uid, email, name, domain_name: domainName, enabled: enabled === 1 ? 'yes' : 'no', songs }
}

/** Locks an account's website, by an update without effect, until the end of the transaction. Returns false if there is none. */
async function lockWebsite(writeQueries: Queries, uid: string): Promise<boolean> {
  const lockQuery = writeQueries.updateTable('websites').set((eb) => ({ uid: eb.ref('uid') }))
  return (await lockQuery.where('uid', '=', uid).executeTakeFirst()).numUpdatedRows > 0n
}

/** Assigns a domain name to an account. Returns false if another account or an imported supporter has it. */
async function claimName(writeQueries: Queries, domainName: string, uid: string, nowMs: number): Promise<boolean> {
  await writeQueries.deleteFrom('website_names').where('domain_name', '=', domainName).where('until', '<=', nowMs).execute()
  const supporterRow = await writeQueries
    .selectFrom('supporters')
    .select('domain_name')
    .where('domain_name', '=', domainName)
    .executeTakeFirst()
  if (supporterRow !== undefined) return false
  const { numInsertedOrUpdatedRows } = await writeQueries
    .insertInto('website_names')
    .values({ domain_name: domainName, uid, until: null })
    .onConflict((conflict) => conflict.column('domain_name').doNothing())
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows === 1n) return true
  const { numUpdatedRows } = await writeQueries
    .updateTable('website_names')
    .set({ until: null })
    .where('domain_name', '=', domainName)
    .where('uid', '=', uid)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The time after which clicks are deleted. It is longer than the time for which the owner sees clicks. */
const CLICK_RETENTION_DAYS = 60

/** Deletes old clicks, and expired domain names. */
export async function deleteOldClicksAndNames(queries: Queries, nowMs: number): Promise<void> {
  await queries
    .deleteFrom('website_clicks')
    .where('day', '<', Math.floor(nowMs / DAY_MS) - CLICK_RETENTION_DAYS)
    .execute()
  await queries.deleteFrom('website_names').where('until', '<=', nowMs).execute()
}

/** The websites of the subscribers, by uid, and the domain names that lead to them. */
export function createWebsiteStore(database: Database) {
  const { queries } = database
  const readCurrentDomainName = async (source: Queries, uid: string) =>
    (await source.selectFrom('website_names').select('domain_name').where('uid', '=', uid).where('until', 'is', null).executeTakeFirst())
      ?.domain_name ?? ''

  async function findWebsite(uid: string): Promise<StoredWebsite | undefined> {
    const websiteRow = await queries.selectFrom('websites').selectAll().where('uid', '=', uid).executeTakeFirst()
    if (websiteRow === undefined) return undefined
    const songs = await queries
      .selectFrom('website_songs')
      .select(['youtube_id', 'title'])
      .where('uid', '=', uid)
      .orderBy('position')
      .execute()
    return toStoredWebsite(websiteRow, await readCurrentDomainName(queries, uid), songs)
  }

  return {
    find: findWebsite,
    /** Returns those of the given songs that an admin has hidden. Their rows stay, so that they are shown again with the song. */
    findHiddenSongs: async (songIds: readonly string[]): Promise<ReadonlySet<string>> => {
      if (songIds.length === 0) return new Set()
      const hiddenRows = await queries.selectFrom('hidden_songs').select('song_id').where('song_id', 'in', songIds).execute()
      return new Set(hiddenRows.map((row) => row.song_id))
    },
    /**
     * Returns the website to which a domain name leads at `nowMs`, and whether visitors can see the website: it is enabled, and its owner is a
     * subscriber. If the name is an earlier name of the website, its `domain_name` is a different one.
     */
    resolve: async (domainName: string, nowMs: number): Promise<{ website: StoredWebsite; isLive: boolean } | undefined> => {
      const nameRow = await queries
        .selectFrom('website_names')
        .select('uid')
        .where('domain_name', '=', domainName)
        .where((eb) => eb.or([eb('until', 'is', null), eb('until', '>', nowMs)]))
        .executeTakeFirst()
      const website = nameRow && (await findWebsite(nameRow.uid))
      if (website === undefined) return undefined
      return { website, isLive: website.enabled === 'yes' && (await mayShowWebsite(queries, website.uid, nowMs)) }
    },
    /**
     * Stores a website with its domain name. An earlier name of the account leads to the new one until `NAME_REDIRECT_MS` after `savedAtMs`. The clicks of
     * `newLinkIds`, which were counted for earlier links with these ids, are deleted. With `isNew`, an existing website is not replaced.
     */
    save: (
      { uid, email, name, domain_name, enabled, songs, ...websiteTexts }: StoredWebsite,
      savedAtMs: number,
      { newLinkIds = [], isNew = false }: { newLinkIds?: readonly string[]; isNew?: boolean } = {},
    ): Promise<DomainNameOutcome> =>
      database.writeWithRevision(async (writeQueries) => {
        // The row is locked before the revision, as by the other changes of a website: otherwise two of them could wait for each other.
        await lockWebsite(writeQueries, uid)
        await serialiseTransactions(writeQueries)
        const domainNameBefore = await readCurrentDomainName(writeQueries, uid)
        if (isNew && domainNameBefore !== '') return 'exists'
        if (domainNameBefore !== domain_name) {
          const earlierRows = await writeQueries
            .selectFrom('website_names')
            .select('domain_name')
            .where('uid', '=', uid)
            .where('until', '>', savedAtMs)
            .where('domain_name', '!=', domain_name)
            .execute()
          if (earlierRows.length >= EARLIER_NAMES_MAX) return 'too-many'
          if (!(await claimName(writeQueries, domain_name, uid, savedAtMs))) return 'taken'
          await writeQueries
            .updateTable('website_names')
            .set({ until: savedAtMs + NAME_REDIRECT_MS })
            .where('uid', '=', uid)
            .where('domain_name', '=', domainNameBefore)
            .execute()
        }
        const websiteRow = { email, name, enabled: enabled === 'yes' ? 1 : 0, texts: JSON.stringify(websiteTexts satisfies OtherTexts) }
        await writeQueries
          .insertInto('websites')
          .values({ uid, hidden: '', ...websiteRow })
          .onConflict((conflict) => conflict.column('uid').doUpdateSet(websiteRow))
          .execute()
        await writeQueries.deleteFrom('website_songs').where('uid', '=', uid).execute()
        if (songs.length > 0)
          await writeQueries
            .insertInto('website_songs')
            .values(songs.map((song, position) => ({ uid, position, ...song })))
            .execute()
        if (newLinkIds.length > 0)
          await writeQueries.deleteFrom('website_clicks').where('uid', '=', uid).where('target', 'in', newLinkIds).execute()
        return 'done'
      }),
    /** Stores an uploaded picture of a website, or deletes it. Returns false if there is no such website. */
    savePicture: (pictureKind: WebsitePictureKind, uid: string, pictureBytes: Buffer | undefined): Promise<boolean> =>
      database.writeWithRevision(async (writeQueries) => {
        // An account that is deleted meanwhile would leave the picture behind.
        if (!(await lockWebsite(writeQueries, uid))) return false
        const table = pictureTables[pictureKind]
        if (pictureBytes === undefined) {
          await writeQueries.deleteFrom(table).where('uid', '=', uid).execute()
          return true
        }
        const picture = { hash: createHash('sha256').update(pictureBytes).digest('hex'), base64: pictureBytes.toString('base64') }
        await writeQueries
          .insertInto(table)
          .values({ uid, ...picture })
          .onConflict((conflict) => conflict.column('uid').doUpdateSet(picture))
          .execute()
        return true
      }),
    /** Returns the hash of an uploaded picture; undefined if there is none. */
    pictureHashOf: async (kind: WebsitePictureKind, uid: string): Promise<string | undefined> =>
      (await queries.selectFrom(pictureTables[kind]).select('hash').where('uid', '=', uid).executeTakeFirst())?.hash,
    /** Returns the uploaded picture whose content has the given hash. The hash is the part of the picture's source after `BANNER_SCHEME`. */
    readPicture: async (pictureHash: string): Promise<Buffer | undefined> => {
      for (const table of Object.values(pictureTables)) {
        const row = await queries.selectFrom(table).select('base64').where('hash', '=', pictureHash).executeTakeFirst()
        if (row !== undefined) return Buffer.from(row.base64, 'base64')
      }
      return undefined
    },
    /** Counts a click on a day, counted from 1970-01-01 UTC. */
    countClick: (uid: string, target: ClickTarget, dayNumber: number): Promise<void> =>
      database.write(async (writeQueries) => {
        await writeQueries
          .insertInto('website_clicks')
          .values({ uid, day: dayNumber, target, count: 1 })
          .onConflict((conflict) =>
            conflict.columns(['uid', 'day', 'target']).doUpdateSet((eb) => ({ count: eb('website_clicks.count', '+', 1) })),
          )
          .execute()
      }),
    /** Returns the number of clicks on each link since a day, largest first. */
    listClicks: async (uid: string, firstDay: number): Promise<{ target: ClickTarget; count: number }[]> => {
      const clickRows = await queries
        .selectFrom('website_clicks')
        .select((eb) => ['target', eb.fn.sum<number>('count').as('clicks')])
        .where('uid', '=', uid)
        .where('day', '>=', firstDay)
        .groupBy('target')
        .execute()
      return clickRows
        .flatMap(({ target, clicks }) => (isClickTarget(target) ? [{ target, count: Number(clicks) }] : []))
        .toSorted((a, b) => b.count - a.count)
    },
  }
}
