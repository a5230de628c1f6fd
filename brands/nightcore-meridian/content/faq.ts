import type { ContentSettings } from '../../../contract/content.ts'

/** The questions and answers of the page /faq. */
export const faq: ContentSettings['FAQ'] = [
  {
    section: 'General',
    question: 'What is nightcore?',
    answer: `<p>Nightcore is a song played faster than it was recorded, with the pitch carried up along with the speed. Nothing is cut and nothing is
re-sung. Most nightcore is 20 to 35 percent faster than the original and ends up at 140 to 160 BPM.</p>
<p>The long answer, with its history and a recipe, is on <a href="/what-is-nightcore">What is nightcore?</a></p>`,
  },
  {
    section: 'General',
    question: 'What makes a song sound like nightcore?',
    answer: `<p>Three things that happen together:</p>
<ul><li>the tempo rises to 140 to 160 BPM, so that the drums run;</li>
<li>the voice climbs by three to five semitones, and sounds brighter and closer;</li>
<li>the chorus comes back sooner, because the song is shorter.</li></ul>
<p>A time-stretch that keeps the pitch is something else: with nightcore, speed and pitch move as one, as on a turntable.</p>`,
  },
  {
    section: 'General',
    question: 'Where does nightcore come from?',
    answer: `<p>From Norway. In the early 2000s two students recorded a school project under the name Nightcore: trance and eurodance, sped up until the
vocals sparkled. Their albums travelled by file sharing, listeners copied the method with songs of their own, and the name of a group became the name of a
sound.</p>`,
  },
  {
    section: 'General',
    question: 'Who makes and hears it?',
    answer: `<p>Mostly people who began as listeners. Nightcore has always been a hobby with an open door: a free editor and an evening are enough for a first
one, and somebody will tell you what to try next. The pictures, the lyrics across the screen and the playlists are made by the same people. Ours argue, kindly,
on Discord; you find the link in the menu under Community where it is open.</p>`,
  },
  {
    section: 'General',
    question: 'What has nightcore to do with anime and pop culture?',
    answer: `<p>The pictures came from there. Early uploads needed something to look at, and an illustrated character above a city at night suited the sound, so it
stayed. Since then sped-up songs have left the niche: short videos made them ordinary, and artists release sped-up editions of their own singles. If you hear
one in a shop, you hear the same trick.</p>`,
  },
  {
    section: 'General',
    question: 'How do I make a nightcore?',
    answer: `<ol><li>Choose a song with a clear voice and a chorus you can hum.</li>
<li>Divide 150 by its BPM. That is your speed: 118 BPM wants about 1.27.</li>
<li>Move speed and pitch together, and listen to the consonants. If they chirp, come back by two or three percent.</li>
<li>Export with some headroom, so that loud masters do not clip.</li></ol>
<p>Our <a href="/account/maker">maker</a> does all of it in your browser: it finds the BPM, sets the speed that lands between 140 and 160, and never uploads your
file. It is part of <a href="/subscribe">Premium</a>.</p>`,
  },
  {
    section: 'General',
    question: 'What does the site do with the songs?',
    answer: `<p>It lists them and plays them where they were published. Every song here is a video of its channel, so its views and its earnings are the channel's. We
keep titles, covers and playlists; the music stays where its owner put it. That is also why the music itself cannot be kept for offline listening, while playlists
and favorites can.</p>`,
  },
  {
    section: 'General',
    question: 'Who owns the copyright of a nightcore?',
    answer: `<p>The people who own the song. Speeding a recording up makes a version of it, not a new work: the recording belongs to its label or artist, the writing to
its authors. Credit both, link the original, and keep to what its licence says. Many labels publish music that may be used like this, and they say so.</p>`,
  },
  {
    section: 'General',
    question: 'Is nightcore legal?',
    answer: `<p>Making one for yourself is your own affair in most countries. Publishing one needs the permission of whoever owns the song, or a licence that gives it. In
practice the platform's system recognises most songs and applies what their owner has decided: the video stands, stands with advertisements for the owner, or
goes. A takedown is the owner's right, and arguing rarely helps. None of this is legal advice.</p>`,
  },
  {
    section: 'General',
    question: 'Can I earn money with nightcore?',
    answer: `<p>Only with music whose owner allows it. If a video is claimed, what it earns goes to the owner. Creators who live from it use music that is licensed for
that, make originals, or are paid for artwork and editing. Please do not sell files of songs that are not yours, here or anywhere.</p>`,
  },
  {
    section: 'General',
    question: 'A song is missing, wrong or gone. What can I do?',
    answer: `<p>Missing: <a href="/get-in-touch?topic=request-song">request it</a>. Wrong title or category: press Report on the song's page and say what is wrong. Gone: our
players notice videos that no longer play; after three of them agree, the song leaves the rotation by itself.</p>`,
  },
  {
    section: 'Network',
    question: 'What is the network?',
    answer: `<p>A group of channels that make nightcore and help one another. Members are shown on the <a href="/members">members page</a>, their videos enter our playlists
and the radio, and they have a place to ask people who have done it before. The <a href="/network">network page</a> lists what members get. It costs nothing, and your
channel stays yours.</p>`,
  },
  {
    section: 'Network',
    question: 'How do I join the network?',
    answer: `<p>You need 100 subscribers, and videos that we are happy to recommend: clean sound, a picture that you may use, honest titles, credits to the artist. Then
<a href="/get-in-touch?topic=apply-member">apply</a> with your channel's address and your Discord name. A person looks at every application.</p>`,
  },
  {
    section: 'Network',
    question: 'How do my videos get into the playlists?',
    answer: `<p>By themselves, once you are a member: put the hashtag of the playlist into the video's description, and it is added after the next run. Please use the one that
fits; we move what is in the wrong place.</p>`,
  },
  {
    section: 'Network',
    question: 'What is the Academy?',
    answer: `<p>The way in for channels with fewer than 100 subscribers. You get a mentor from the network, feedback on each upload that you ask for, and a second radio station
that plays Academy songs. <a href="/get-in-touch?topic=apply-academy">Apply here.</a></p>`,
  },
  {
    section: 'Network',
    question: 'When do I graduate from the Academy?',
    answer: `<p>At 100 subscribers, if your recent videos meet the standards of the network, which by then they usually do. You become a full member, keep your mentor for as
long as you both like, and may become one yourself.</p>`,
  },
]
