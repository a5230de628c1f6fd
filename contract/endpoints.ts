import Type, { type Static, type TSchema } from 'typebox'
import { accountEndpoints } from './account-endpoints.ts'
import { FeedItem, Member, MemberStats, Supporter } from './community.ts'
import { ContactRequest } from './contact.ts'
import { contentDocuments } from './content.ts'
import { convertEndpoints } from './conversion.ts'
import { FavoriteSync, FavoriteSyncResult } from './favorite.ts'
import { dateTime, uuid } from './input-types.ts'
import { MadeFile, MakeHistoryRow } from './make.ts'
import { Playlist, PlaylistWithSongs } from './playlist.ts'
import { LIST_LIMIT_MAX, LIST_OFFSET_MAX } from './playlist-limits.ts'
import { promotionEndpoints } from './promotion-endpoints.ts'
import { Radio } from './radio.ts'
import { Site } from './site.ts'
import { RandomSong, Song, SongDetail } from './song.ts'
import { Suggestions } from './suggestions.ts'
import { websiteEndpoints } from './website.ts'

/** Who may call an endpoint. `optional`: everyone, with more data for accounts. `user`: accounts. `subscriber`: accounts with that role. */
export type Access = 'public' | 'optional' | 'user' | 'subscriber'

export interface Endpoint {
  /** One sentence about the endpoint for the API's documentation. */
  summary: string
  tag: string
  access: Access
  query?: TSchema
  body?: TSchema
  /** The schema of `data` in a successful response. */
  data: TSchema
}

const searchTextParameter = Type.String({ minLength: 1, maxLength: 200, description: 'The words, in any order.' })
const textParameter = (description: string) => Type.String({ description, maxLength: 500 })
const paginationParameters = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIST_LIMIT_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: LIST_OFFSET_MAX })),
}
const songParameter = textParameter('A video id or a watch URL.')
const changeIdParameter = Type.Optional(uuid('Made by the client: sent again, it counts once.'))
const newcomersParameter = Type.Optional(textParameter('Any text that is not empty selects the station of the newcomers.'))
const contextParameter = textParameter("A playlist id, else a category id, or 'favorite' (needs a token).")

/**
 * All endpoints of the API. A key is the method and the path below the API's base URL. Server routes, client calls and the OpenAPI document are
 * derived from this table. Client code imports only the types, so that the schemas are not bundled.
 */
export const endpoints = {
  'GET /site': {
    summary: 'The brand, host class and settings of the host that was asked.',
    tag: 'site',
    access: 'public',
    data: Site,
  },
  'GET /host': {
    summary: 'Answers 200 for a host name that this server serves, 404 for another: what a proxy asks before it gets a certificate.',
    tag: 'site',
    access: 'public',
    query: Type.Object({ domain: textParameter('A host name without a port.') }),
    data: Type.Null(),
  },
  'GET /content/faq': {
    summary: 'The questions and answers, in the order of the page.',
    tag: 'content',
    access: 'public',
    data: contentDocuments.faq,
  },
  'GET /content/timeline': {
    summary: 'The milestones of the site, oldest first.',
    tag: 'content',
    access: 'public',
    data: contentDocuments.timeline,
  },
  'GET /content/privacy': { summary: 'The privacy policy.', tag: 'content', access: 'public', data: contentDocuments.privacy },
  'GET /content/plans': {
    summary: 'The plans that people can subscribe to.',
    tag: 'content',
    access: 'public',
    data: contentDocuments.plans,
  },
  'GET /content/benefits': {
    summary: 'What members of the network get.',
    tag: 'content',
    access: 'public',
    data: contentDocuments.benefits,
  },
  'GET /content/academy': {
    summary: 'What the Academy is and offers.',
    tag: 'content',
    access: 'public',
    data: contentDocuments.academy,
  },
  'GET /content/what-is': {
    summary: 'The page that explains the genre.',
    tag: 'content',
    access: 'public',
    data: contentDocuments['what-is'],
  },
  'GET /song/search': {
    summary: 'Songs whose title or author has every word of `s`, by word prefix or, from 3 letters, anywhere.',
    tag: 'song',
    access: 'public',
    query: Type.Object({
      s: searchTextParameter,
      type: Type.Optional(Type.Literal('artist', { description: 'Match the author only, exact names first.' })),
      orderBy: Type.Optional(Type.Union([Type.Literal('title'), Type.Literal('date_added')])),
      orderDir: Type.Optional(Type.Union([Type.Literal('ASC'), Type.Literal('DESC')])),
      ...paginationParameters,
    }),
    data: Type.Array(Song),
  },
  'GET /search/suggest': {
    summary: 'A few songs, artists and playlists that match `s` as in `/song/search`, those that begin with it first.',
    tag: 'search',
    access: 'public',
    query: Type.Object({
      s: searchTextParameter,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'The most of each kind; 4 by default.' })),
    }),
    data: Suggestions,
  },
  'GET /song/get': {
    summary: 'One song, with the next and previous of its context.',
    tag: 'song',
    access: 'optional',
    query: Type.Object({ s: songParameter, p: Type.Optional(contextParameter) }),
    data: SongDetail,
  },
  'GET /song/related': {
    summary: 'Other playable songs of the same artist, then of the same category.',
    tag: 'song',
    access: 'public',
    query: Type.Object({
      s: songParameter,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, description: 'The most songs; 6 by default.' })),
    }),
    data: Type.Array(Song),
  },
  'GET /song/random': {
    summary: 'A playable song of `p`, or of all, each as likely as any other.',
    tag: 'song',
    access: 'optional',
    query: Type.Object({
      p: Type.Optional(contextParameter),
      not: Type.Optional(textParameter('A video id or URL that is never the answer.')),
    }),
    data: RandomSong,
  },
  'POST /song/play': {
    summary: 'Counts a play when it arrives: once an hour for a client and song, or once a day if it happened an hour or more before.',
    tag: 'song',
    access: 'public',
    body: Type.Object({
      s: songParameter,
      p: Type.Optional(contextParameter),
      change_id: changeIdParameter,
      played_at: Type.Optional(dateTime('When it was played, ISO 8601; now, where that is to come or over a year ago.')),
      duration: Type.Optional(
        Type.Number({ minimum: 0, description: "The video's length in seconds, as its player states it, for a song of unknown length." }),
      ),
    }),
    data: Type.Null(),
  },
  'POST /song/unplayable': {
    summary: "A client's player reports a video that cannot play. It counts from a client that was given the song, 20 times a day.",
    tag: 'song',
    access: 'public',
    body: Type.Object({ s: songParameter, reason: Type.String({ minLength: 1, maxLength: 200 }) }),
    data: Type.Null(),
  },
  'GET /playlist/all': {
    summary: 'All playlists by popularity, or by title with `order`; with `home=true` those of the home page.',
    tag: 'playlist',
    access: 'public',
    query: Type.Object({
      home: Type.Optional(Type.Union([Type.Literal('true'), Type.Literal('false')])),
      order: Type.Optional(Type.Union([Type.Literal('ASC'), Type.Literal('DESC')])),
      ...paginationParameters,
    }),
    data: Type.Array(Playlist),
  },
  'GET /playlist/explore': {
    summary: 'Twelve playlists, different on each call.',
    tag: 'playlist',
    access: 'public',
    data: Type.Array(Playlist),
  },
  'GET /playlist/get': {
    summary: 'A playlist, or a category as one, with its songs in order.',
    tag: 'playlist',
    access: 'public',
    query: Type.Object({ p: textParameter('A playlist id, else a category id.'), ...paginationParameters }),
    data: PlaylistWithSongs,
  },
  'GET /radio/get': {
    summary: 'What the radio plays.',
    tag: 'radio',
    access: 'public',
    query: Type.Object({
      newcomers_id: newcomersParameter,
      listening: Type.Optional(
        Type.Union([Type.Literal('true'), Type.Literal('false')], { description: 'With `false` the client is not counted as a listener.' }),
      ),
    }),
    data: Radio,
  },
  'GET /radio/setnewsong': {
    summary: 'What the radio plays after `s` has ended. The song changes only when its time is up, whoever asks.',
    tag: 'radio',
    access: 'public',
    query: Type.Object({ s: Type.Optional(songParameter), newcomers_id: newcomersParameter }),
    data: Radio,
  },
  'POST /contact/request': {
    summary: 'A message to the team. The topic `artwork-request` is for subscribers only.',
    tag: 'contact',
    access: 'optional',
    body: ContactRequest,
    data: Type.Null(),
  },
  'GET /member/stats': { summary: 'The size of the network.', tag: 'member', access: 'public', data: MemberStats },
  'GET /member/all': {
    summary: 'The members of the network, largest first.',
    tag: 'member',
    access: 'public',
    query: Type.Object(paginationParameters),
    data: Type.Array(Member),
  },
  'GET /member/testimonial': {
    summary: 'The members who say something about the network.',
    tag: 'member',
    access: 'public',
    query: Type.Object(paginationParameters),
    data: Type.Array(Member),
  },
  'GET /subscriber/getsubscriberssite': {
    summary: 'The supporters.',
    tag: 'subscriber',
    access: 'public',
    query: Type.Object(paginationParameters),
    data: Type.Array(Supporter),
  },
  ...accountEndpoints,
  'GET /make/history': {
    summary: 'The files that the caller made, newest first: the newest 1,000 of them.',
    tag: 'make',
    access: 'subscriber',
    query: Type.Object(paginationParameters),
    data: Type.Array(MakeHistoryRow),
  },
  'POST /make/history': {
    summary: 'Records a file that the maker in the browser has written. Nothing of its sound is sent.',
    tag: 'make',
    access: 'subscriber',
    body: MadeFile,
    data: MakeHistoryRow,
  },
  ...promotionEndpoints,
  ...websiteEndpoints,
  ...convertEndpoints,
  'GET /favorite/getlatest': {
    summary: "The newest of the caller's favorites.",
    tag: 'favorite',
    access: 'user',
    data: RandomSong,
  },
  'GET /favorite/get': {
    summary: "Whether a song is among the caller's favorites.",
    tag: 'favorite',
    access: 'user',
    query: Type.Object({ s: songParameter }),
    data: Type.Object({ favorite: Type.Boolean() }),
  },
  'GET /favorite/getall': {
    summary: "The caller's favorites, newest first.",
    tag: 'favorite',
    access: 'user',
    query: Type.Object(paginationParameters),
    data: Type.Array(Song),
  },
  'GET /favorite/random': {
    summary: "A playable song of the caller's favorites, each as likely as any other.",
    tag: 'favorite',
    access: 'user',
    query: Type.Object({ not: Type.Optional(textParameter('A video id or URL that is never the answer.')) }),
    data: RandomSong,
  },
  'POST /favorite/add': {
    summary: 'Makes a song a favorite of the caller.',
    tag: 'favorite',
    access: 'user',
    body: Type.Object({ s: songParameter }),
    data: Type.Null(),
  },
  'POST /favorite/remove': {
    summary: "Takes a song out of the caller's favorites. What is not there is no error.",
    tag: 'favorite',
    access: 'user',
    body: Type.Object({ s: songParameter }),
    data: Type.Null(),
  },
  'POST /favorite/sync': {
    summary: 'Applies what a device has changed, each change once, the last tap wins, and tells what has changed since its last call.',
    tag: 'favorite',
    access: 'user',
    body: FavoriteSync,
    data: FavoriteSyncResult,
  },
  'GET /feed/get': {
    summary: 'The news, newest first.',
    tag: 'feed',
    access: 'public',
    query: Type.Object(paginationParameters),
    data: Type.Array(FeedItem),
  },
} as const satisfies Record<`${'GET' | 'POST'} /${string}`, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointKey = keyof Endpoints
/** The input of an endpoint: the query or the body. */
export type Input<K extends EndpointKey> = Endpoints[K] extends { query: infer Q extends TSchema }
  ? Static<Q>
  : Endpoints[K] extends { body: infer B extends TSchema }
    ? Static<B>
    : Record<never, never>
/** The type of `data` in an endpoint's successful response. */
export type Data<K extends EndpointKey> = Static<Endpoints[K]['data']>
