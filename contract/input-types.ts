import Type from 'typebox'
import { LIST_LIMIT_MAX, LIST_OFFSET_MAX } from './playlist-rules.ts'
import { SEARCH_TEXT_MAX_LENGTH } from './search-rules.ts'

/** A UUID that the client has generated. */
export const createUuidSchema = (description: string) => Type.String({ format: 'uuid', maxLength: 36, description })

/** A time by the client's clock, in ISO 8601. */
export const createDateTimeSchema = (description: string) => Type.String({ format: 'date-time', maxLength: 40, description })

export const searchTextParameter = Type.String({
  minLength: 1,
  maxLength: SEARCH_TEXT_MAX_LENGTH,
  description: 'The words, in any order, or the link or id of a video.',
})
export const createTextParameterSchema = (description: string) => Type.String({ description, maxLength: 500 })
export const paginationParameters = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: LIST_LIMIT_MAX })),
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: LIST_OFFSET_MAX })),
}
export const songParameter = createTextParameterSchema('A video id or a watch URL.')
export const changeIdParameter = Type.Optional(createUuidSchema('Made by the client: sent again, it counts once.'))
export const playContextParameter = createTextParameterSchema("A playlist id, else a category id, or 'favorite' (needs a token).")
