import Type from 'typebox'

/** A UUID that a client makes. */
export const uuid = (description: string) => Type.String({ format: 'uuid', maxLength: 36, description })

/** A time that a client states, in ISO 8601. */
export const dateTime = (description: string) => Type.String({ format: 'date-time', maxLength: 40, description })
