import type { ContentSettings } from '../../../contract/content.ts'

/** The benefits of a membership in the network of creators, on the page /network. */
export const memberBenefits: ContentSettings['BENEFITS'] = [
  { icon: 'radio', title: 'The late hours', text: 'Your songs enter the radio, which most people leave on until morning.' },
  {
    icon: 'robot',
    title: 'No submissions',
    text: 'Write the hashtag of a playlist into the description. It finds the video in its own time.',
  },
  {
    icon: 'audience',
    title: 'Listeners who stay',
    text: 'Your channel stands on the members page, and your name under each song leads to all of them.',
  },
  { icon: 'community', title: 'Company', text: 'A small room on Discord, for questions about rooms: how long, how dark, how much.' },
  { icon: 'shield', title: 'Nothing to sign', text: 'No share, no contract. Stay as long as you like.' },
]

/** The section of the page /network about the Academy, the programme for new creators. */
export const academySection: ContentSettings['ACADEMY'] = {
  title: 'The Academy',
  text: 'For creators with fewer than 100 subscribers who would like to learn slowly, with somebody who listens.',
  points: [
    {
      icon: 'feedback',
      title: 'Honest feedback',
      text: 'On the draft and on the upload, kindly, and with the second at which something happens.',
    },
    { icon: 'star', title: 'A mentor', text: 'One person from the network who knows what you are after.' },
    { icon: 'music', title: 'The second station', text: 'The newcomers radio plays songs of the Academy only.' },
    { icon: 'launch', title: 'Graduation', text: 'At 100 subscribers you become a full member.' },
  ],
}
