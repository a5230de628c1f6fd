import Type from 'typebox'

// Members that the results of all synchronisations have.

/** The changes of a request that the server refuses for ever, so that a device does not send them again. */
export const refusedChangesField = Type.Array(Type.Object({ id: Type.String(), message: Type.String() }), {
  description: 'The changes that can never be applied. All others have been, or were overtaken.',
})

export const latestChangeTimeField = Type.Optional(
  Type.String({
    description: 'The time of the latest stored change, ISO 8601 UTC: a device dates its next change later. Missing where there is none.',
  }),
)
