import type { Member } from './community.ts'

/** The prefix of the invented channel ids that the members of the demo catalogue have. */
const EXAMPLE_PREFIX = 'UCexample'

/** Whether a member belongs to the demo catalogue and its channel does not exist. */
export const isExampleMember = ({ channel_id }: Pick<Member, 'channel_id'>): boolean => channel_id.startsWith(EXAMPLE_PREFIX)

/** Returns the URL of a member's channel on the video platform, or of the platform's home page if the channel does not exist. */
export const createChannelUrl = (member: Pick<Member, 'channel_id'>): string =>
  `https://www.youtube.com/${isExampleMember(member) ? '' : `channel/${encodeURIComponent(member.channel_id)}`}`

/** Returns the name of a channel, or its id if no character of the name is visible. */
export const formatChannelLabel = ({ channel_id, channel_name }: Pick<Member, 'channel_id' | 'channel_name'>): string =>
  /[^\p{C}\p{Z}\p{M}]/u.test(channel_name) ? channel_name : channel_id

/** Returns the ids of the channels of the video platform in a URL. */
export const findChannelIds = (url: string): string[] => url.match(/UC[\w-]{22}/g) ?? []
