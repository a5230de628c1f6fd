import type { Milestone } from '../../../contract/content.ts'

/** The milestones of the page /about-us, oldest first. */
export const timeline: Milestone[] = [
  {
    date: '2019-12-08',
    title: 'A song to fall asleep to',
    description:
      'Somebody slows a favourite song for a friend who cannot sleep. The friend asks for a second one, and for the address of the channel.',
    icon: 'music',
  },
  {
    date: '2021-05-30',
    title: 'The radio, very quietly',
    description:
      'A stream that never hurries goes on air. Its first listener writes that it ran all night and that the morning was better for it.',
    icon: 'radio',
  },
  {
    date: '2022-01-16',
    title: 'A large channel moves in',
    description:
      'A creator whom most of us learned from joins the network and stays to answer questions. The evenings on Discord get longer.',
    icon: 'star',
  },
  {
    date: '2022-10-02',
    title: 'Another address',
    description:
      'The first domain was a joke that stopped being funny. We move to one that says what happens here; old links still find us.',
    icon: 'globe',
  },
  {
    date: '2024-08-30',
    title: 'Meridian, twice',
    description: 'We join forces with Nightcore Meridian. Two houses, one workshop, one Academy.',
    icon: 'community',
  },
  {
    date: '2025-03-11',
    title: 'Members submit by hashtag',
    description: 'A hashtag in the description is enough: the playlist finds the video. It takes a few hours, which suits us.',
    icon: 'robot',
  },
  {
    date: '2026-10-01',
    title: 'The website opens',
    description:
      'Playlists that stay when the network goes, a maker that slows a song in the browser, and a room that is as large as you like.',
    icon: 'launch',
  },
]
