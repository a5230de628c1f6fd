import Type, { type Static, type TSchema } from 'typebox'

/** Returns the schema of an API response. `code` is the HTTP status; `message` is the error message if `code` is not 200. */
export const Envelope = <T extends TSchema>(data: T) => Type.Object({ code: Type.Integer(), message: Type.String(), data })

export const ErrorEnvelope = Type.Object({
  code: Type.Integer(),
  message: Type.String(),
  data: Type.Null(),
})
export type ErrorEnvelope = Static<typeof ErrorEnvelope>

export type Envelope<D> = { code: number; message: string; data: D }
