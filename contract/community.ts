import Type, { type Static } from 'typebox'
import { paginationParameters } from './input-types.ts'
import { RichText } from './rich-text.ts'

export const Member = Type.Object({
  channel_id: Type.String(),
  channel_name: Type.String(),
  channel_pic: Type.String({ description: 'A picture on our own origin.' }),
  sub_tag: Type.String(),
  testimonial: Type.String(),
  subs: Type.Integer(),
  views: Type.Integer(),
})
export type Member = Static<typeof Member>

export const MemberStats = Type.Object({ members: Type.Integer(), subs: Type.Integer(), views: Type.Integer() })
export type MemberStats = Static<typeof MemberStats>

export const Supporter = Type.Object({
  domain_name: Type.String(),
  name: Type.String(),
  profile_pic: Type.String({ description: 'A picture on our own origin.' }),
})
export type Supporter = Static<typeof Supporter>

export const FeedItem = Type.Object({
  id: Type.String(),
  title: Type.String(),
  content: Type.String({ description: 'HTML, sanitised when it was stored.' }),
  content_tree: RichText,
  image: Type.String({ description: 'A picture on our own origin; empty where there is none.' }),
  url: Type.String(),
  date: Type.String(),
  updated: Type.Optional(Type.String({ description: 'When its text was last changed; absent if it was not since its date.' })),
})
export type FeedItem = Static<typeof FeedItem>

export const communityEndpoints = {
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
  'GET /feed/get': {
    summary: 'The news, newest first.',
    tag: 'feed',
    access: 'public',
    query: Type.Object(paginationParameters),
    data: Type.Array(FeedItem),
  },
} as const
