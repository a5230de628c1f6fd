import type { ContentSettings } from '../../../contract/content.ts'

/** The questions and answers of the page /faq. */
export const faq: ContentSettings['FAQ'] = [
  {
    section: 'General',
    question: 'What is slowed and reverb?',
    answer: `<p>A song played slower than it was recorded, with its pitch lowered along with the speed, and placed in a large room. Ten to twenty percent slower is usual.
The reverb fills the space that the slower notes leave. It is the same slider that makes <em>nightcore</em>, pulled the other way: there, songs run 20 to 35 percent
faster, at 140 to 160 BPM.</p>
<p>There is more to read on <a href="/what-is-slowed-and-reverb">What is slowed and reverb?</a></p>`,
  },
  {
    section: 'General',
    question: 'What should I listen for?',
    answer: `<p>The breath before a line. The hand on the strings. The end of a word, which used to be cut off by the next one and now has time. A good version leaves the
voice human, keeps the bass dry and lets the room be heard only when the singer stops.</p>`,
  },
  {
    section: 'General',
    question: 'Where does it come from?',
    answer: `<p>From Houston. In the 1990s DJ Screw mixed hip-hop slowly on two turntables and sold the tapes; "chopped and screwed" became the sound of a city. Around 2017
listeners on video platforms took the slowness, left out the cuts and added reverb, and a quieter genre began that works with almost any song.</p>`,
  },
  {
    section: 'General',
    question: 'Who listens to slowed songs?',
    answer: `<p>People who study, drive at night, cannot sleep, or miss somebody. Many began with one song that they could not leave. You meet them on our Discord, which is
awake at odd hours; where it is open, the link stands in the menu under Community.</p>`,
  },
  {
    section: 'General',
    question: 'Why is it everywhere now?',
    answer: `<p>Because a slowed song changes its subject. A hit about a party becomes a memory of one, and short films needed exactly that. Directors, fashion shows and the
artists themselves use it by now: official slowed editions stand beside the singles.</p>`,
  },
  {
    section: 'General',
    question: 'How do I make one?',
    answer: `<ol><li>Choose a song with space in it: a voice, a few instruments, a melody that can wait.</li>
<li>Start at 0.85 of the speed and let the pitch fall with it.</li>
<li>Add a reverb of two to four seconds, and less of it than you think: a quarter is a lot.</li>
<li>Lift the bass a little. Slowing moves it down, where small speakers lose it.</li></ol>
<p>The <a href="/account/maker">maker</a> has this as a preset, works in your browser and uploads nothing. It is part of <a href="/subscribe">Premium</a>.</p>`,
  },
  {
    section: 'General',
    question: 'Where is the music stored?',
    answer: `<p>Where its channel published it. We keep the list, the covers and your favorites; each song is the video of its owner, who gets the view. Playlists and favorites
can be kept for a train without a network, the music itself cannot.</p>`,
  },
  {
    section: 'General',
    question: 'Who owns a slowed song?',
    answer: `<p>Whoever owns the song. A slower version is still their recording and their writing. Name the artist in the title, link the original, and use music whose licence
allows it if you publish.</p>`,
  },
  {
    section: 'General',
    question: 'Is it legal to upload one?',
    answer: `<p>With permission, yes: from the owner, or by a licence. Without it, the platform's system decides as the owner has told it to: most videos stay and earn for the
owner, some are muted or removed. We remove what an owner asks us to. This is not legal advice.</p>`,
  },
  {
    section: 'General',
    question: 'Can a channel live from it?',
    answer: `<p>Rarely from other people's songs: a claimed video earns for its owner. Channels that do live from it play licensed music, make their own, or are paid for
artwork and mixing.</p>`,
  },
  {
    section: 'General',
    question: 'Something is wrong with a song. Whom do I tell?',
    answer: `<p>Press Report on its page and write what is wrong; a person reads it. If a song is missing, <a href="/get-in-touch?topic=request-song">request it</a>. Videos that no longer
play leave the rotation once three listeners have met them.</p>`,
  },
  {
    section: 'Network',
    question: 'What is the network?',
    answer: `<p>Channels that slow songs with care and keep each other company. Their videos reach our playlists and the radio, their names stand on the
<a href="/members">members page</a>, and what else they get is listed on the <a href="/network">network page</a>. It is free, and nobody takes a share.</p>`,
  },
  {
    section: 'Network',
    question: 'May I join?',
    answer: `<p>From 100 subscribers on, and if the videos are made with care: a clean master, a picture that you may use, the artist named.
<a href="/get-in-touch?topic=apply-member">Apply</a> with your channel and your Discord name. We listen to at least three videos, so it takes some days.</p>`,
  },
  {
    section: 'Network',
    question: 'How do new videos of members arrive here?',
    answer: `<p>A member writes the hashtag of a playlist into the description of the video; the next run finds it and adds the song.</p>`,
  },
  {
    section: 'Network',
    question: 'What is the Academy for?',
    answer: `<p>For channels with fewer than 100 subscribers. Somebody from the network becomes your mentor, you get honest feedback before and after an upload, and the second
radio station plays Academy songs. <a href="/get-in-touch?topic=apply-academy">Write to us</a> when you have made your first one.</p>`,
  },
  {
    section: 'Network',
    question: 'How does the Academy end?',
    answer: `<p>With 100 subscribers: then you graduate and become a member, provided the recent videos meet the standards. There is no exam and no hurry.</p>`,
  },
]
