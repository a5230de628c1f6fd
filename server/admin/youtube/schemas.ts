import Type, { type Static } from 'typebox'

// The parts of the answers of the YouTube Data API v3 that imports read: https://developers.google.com/youtube/v3/docs

const createPageSchema = <T extends Type.TSchema>(item: T) =>
  Type.Object({ items: Type.Optional(Type.Array(item)), nextPageToken: Type.Optional(Type.String()) })

const videoIdSchema = Type.String({ pattern: '^[A-Za-z0-9_-]{11}$' })
const dateSchema = Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?Z$' })

/** An entry of a playlist. The entry of a deleted or private video has no owner and no publication date. */
const PlaylistItem = Type.Object({
  snippet: Type.Object({ publishedAt: dateSchema, description: Type.Optional(Type.String()) }),
  contentDetails: Type.Object({ videoId: videoIdSchema, videoPublishedAt: Type.Optional(dateSchema) }),
  status: Type.Optional(Type.Object({ privacyStatus: Type.Optional(Type.String()) })),
})
export type PlaylistItem = Static<typeof PlaylistItem>

const Video = Type.Object({
  id: videoIdSchema,
  snippet: Type.Object({
    title: Type.String(),
    description: Type.String(),
    channelId: Type.String({ maxLength: 100 }),
    channelTitle: Type.String(),
    liveBroadcastContent: Type.Optional(Type.String()),
  }),
  contentDetails: Type.Object({
    duration: Type.Optional(Type.String()),
    regionRestriction: Type.Optional(
      Type.Object({ allowed: Type.Optional(Type.Array(Type.String())), blocked: Type.Optional(Type.Array(Type.String())) }),
    ),
    contentRating: Type.Optional(Type.Object({ ytRating: Type.Optional(Type.String()) })),
  }),
  status: Type.Object({ uploadStatus: Type.String(), privacyStatus: Type.String(), embeddable: Type.Boolean() }),
})
export type Video = Static<typeof Video>

const Channel = Type.Object({
  id: Type.String(),
  contentDetails: Type.Object({ relatedPlaylists: Type.Object({ uploads: Type.Optional(Type.String()) }) }),
})

const Playlist = Type.Object({ snippet: Type.Object({ title: Type.String(), description: Type.String() }) })

export const responseSchemas = {
  playlists: createPageSchema(Playlist),
  playlistItems: createPageSchema(PlaylistItem),
  videos: createPageSchema(Video),
  channels: createPageSchema(Channel),
}

/** https://developers.google.com/youtube/v3/docs/errors */
export const ErrorResponse = Type.Object({
  error: Type.Object({
    message: Type.Optional(Type.String()),
    errors: Type.Optional(Type.Array(Type.Object({ reason: Type.Optional(Type.String()) }))),
  }),
})
