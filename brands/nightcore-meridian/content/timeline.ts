import type { Milestone } from '../../../contract/content.ts'

/** The milestones of the page /about-us, oldest first. */
export const timeline: Milestone[] = [
  {
    date: '2018-03',
    title: 'One channel and a folder of songs',
    description:
      'Two friends upload their first nightcore. It has a typing error in the title and eleven views by the end of the week. They make another.',
    icon: 'music',
  },
  {
    date: '2019-06-21',
    title: 'The radio goes on air',
    description: 'One stream, one song at a time, the same for everyone. On the first night nine people listen and refuse to go to bed.',
    icon: 'radio',
  },
  {
    date: '2020-02-14',
    title: 'A big creator joins',
    description:
      'A channel with more subscribers than all of ours together asks whether there is room. The network gets its name, its rules and its first mentors.',
    icon: 'star',
  },
  {
    date: '2020-11-01',
    title: 'A home of our own',
    description:
      'We leave the free address behind and move to our first domain. A year later a shorter one follows, and the old ones still lead here.',
    icon: 'globe',
  },
  {
    date: '2021-09-05',
    title: 'The Academy opens',
    description:
      'Channels with fewer than 100 subscribers get a mentor and feedback on every upload. The first class of seven graduates before Christmas.',
    icon: 'feedback',
  },
  {
    date: '2023-04-17',
    title: 'Videos find their playlists by themselves',
    description:
      'Members write the hashtag of a playlist into the description of a video, and the next run adds it. Nobody copies links at midnight any more.',
    icon: 'robot',
  },
  {
    date: '2024-08-30',
    title: 'The slow sister',
    description: 'Slowed Reverb Meridian starts next door: the same people, the same tools, the slider pulled the other way.',
    icon: 'community',
  },
  {
    date: '2026-10-01',
    title: 'This website',
    description:
      'Playlists, favorites that work without a network, and a maker in the browser that uploads nothing. Built by us, hosted by us.',
    icon: 'launch',
  },
]
