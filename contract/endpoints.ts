import Type, { type Static, type TSchema } from 'typebox'
import { accountEndpoints } from './account.ts'
import { communityEndpoints } from './community.ts'
import { contactEndpoints } from './contact.ts'
import { contentEndpoints } from './content.ts'
import { conversionEndpoints } from './conversion.ts'
import { favoriteEndpoints } from './favorite.ts'
import { followEndpoints } from './follow.ts'
import { ownPlaylistEndpoints } from './own-playlist.ts'
import { playlistEndpoints } from './playlist.ts'
import { presetEndpoints } from './presets.ts'
import { promotionEndpoints } from './promotion.ts'
import { radioEndpoints } from './radio.ts'
import { siteEndpoints } from './site.ts'
import { songEndpoints } from './song.ts'
import { suggestionEndpoints } from './suggestions.ts'
import { websiteEndpoints } from './website.ts'

/**
 * Who may call an endpoint. `optional`: everyone, with more data for accounts. `user`: only signed-in accounts. `subscriber`: only signed-in accounts
 * with the role `subscriber`.
 */
export type EndpointAccess = 'public' | 'optional' | 'user' | 'subscriber'

export interface Endpoint {
  /** One sentence about the endpoint for the API's documentation. */
  summary: string
  tag: string
  access: EndpointAccess
  query?: TSchema
  body?: TSchema
  /** The schema of `data` in a successful response. */
  data: TSchema
}

/**
 * All endpoints of the API. A key is the method and the path below the API's base URL. Server routes, client calls and the OpenAPI document are
 * derived from this table. Client code imports only the types, so that the schemas are not bundled.
 */
export const endpoints = {
  ...siteEndpoints,
  ...contentEndpoints,
  ...songEndpoints,
  ...suggestionEndpoints,
  ...playlistEndpoints,
  ...radioEndpoints,
  ...contactEndpoints,
  ...communityEndpoints,
  ...accountEndpoints,
  ...promotionEndpoints,
  ...websiteEndpoints,
  ...conversionEndpoints,
  ...presetEndpoints,
  ...favoriteEndpoints,
  ...ownPlaylistEndpoints,
  ...followEndpoints,
} as const satisfies Record<`${'GET' | 'POST'} /${string}`, Endpoint>

export type Endpoints = typeof endpoints
export type EndpointKey = keyof Endpoints
/** The type of an endpoint's input, which is its query or its body. */
export type EndpointInput<K extends EndpointKey> = Endpoints[K] extends { query: infer Q extends TSchema }
  ? Static<Q>
  : Endpoints[K] extends { body: infer B extends TSchema }
    ? Static<B>
    : Record<never, never>
/** The type of `data` in an endpoint's successful response. */
export type EndpointData<K extends EndpointKey> = Static<Endpoints[K]['data']>

/** Returns the schema of an API response. `code` is the HTTP status; `message` is the error message if `code` is not 200. */
export const Envelope = <T extends TSchema>(data: T) => Type.Object({ code: Type.Integer(), message: Type.String(), data })

export const ErrorEnvelope = Type.Object({
  code: Type.Integer(),
  message: Type.String(),
  data: Type.Null(),
})
export type ErrorEnvelope = Static<typeof ErrorEnvelope>

export type Envelope<D> = { code: number; message: string; data: D }
