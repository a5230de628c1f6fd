import type { ContentSettings } from '../../../contract/content.ts'

/** The benefits of a membership in the network of creators, on the page /network. */
export const memberBenefits: ContentSettings['BENEFITS'] = [
  { icon: 'radio', title: 'On the radio', text: 'Once your songs are in the catalogue, the station plays them too.' },
  { icon: 'robot', title: 'Into the playlists', text: 'A hashtag in the description is enough: the playlist finds the video by itself.' },
  {
    icon: 'audience',
    title: 'Found by listeners',
    text: 'Your channel stands on the members page, and your name under every song of yours leads to all of them.',
  },
  {
    icon: 'community',
    title: 'People to ask',
    text: 'A room on Discord where somebody has had your problem before, from claims to clicks in a render.',
  },
  { icon: 'shield', title: 'Yours stays yours', text: 'No contract, no share, no exclusivity. You leave with one message.' },
]

/** The section of the page /network about the Academy, the programme for new creators. */
export const academySection: ContentSettings['ACADEMY'] = {
  title: 'The Academy',
  text: 'Everyone starts at zero. The Academy is for creators with fewer than 100 subscribers who would like to get better in company.',
  points: [
    { icon: 'feedback', title: 'Feedback before you publish', text: 'Send a draft, get ears on it the same evening.' },
    { icon: 'star', title: 'A mentor', text: 'A member who listens to what you make, and remembers what you made before.' },
    { icon: 'music', title: 'A station of your own', text: 'The newcomers radio plays Academy songs only.' },
    { icon: 'launch', title: 'Graduation', text: 'At 100 subscribers you become a full member of the network.' },
  ],
}
