import Type, { type Static, type TSchema } from 'typebox'

/** Every API answer. `code` equals the HTTP status; 200 means success and `message` holds the error text otherwise. */
export const Envelope = <T extends TSchema>(data: T) => Type.Object({ code: Type.Integer(), message: Type.String(), data })

export const ErrorEnvelope = Type.Object({
  code: Type.Integer(),
  message: Type.String(),
  data: Type.Null(),
})
export type ErrorEnvelope = Static<typeof ErrorEnvelope>

export type Envelope<D> = { code: number; message: string; data: D }
