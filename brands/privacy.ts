import type { ContentSettings } from '../contract/content.ts'

/**
 * Returns the privacy policy of a site, which describes what this program stores and sends. The operator of the site adds their name and
 * address with the setting `PRIVACY`.
 */
export const createPrivacyPolicy = (siteName: string): ContentSettings['PRIVACY'] => ({
  updated: '2026-11-27',
  content: `
<p>${siteName} runs on its own server. There is no advertising, no analytics and no tracking across sites, and no company gets your data for its own purposes.
This page lists what is stored, why, and for how long.</p>

<h2>If you only visit</h2>
<ul>
<li>The server answers your requests and writes no list of them. Logged, with your network address and for a month, are failures, requests that are refused, and log-ins and changes of
an account: never passwords, codes or tokens, and of an email address the first letter and the domain only.</li>
<li>A play is counted once an hour. So that one person does not count twice, a hash of your network address is kept with the song's id for an hour, or until the day ends for a play that was sent later; what remains is a
number per playlist and day, for 30 days.</li>
<li>If a video does not play, your player says so. The report holds the song, the reason and a hash of your network address, and is deleted after a month.</li>
<li>If the length of a song is not known, your player reports it with the play. The report holds the song, the length and a hash of your network address, and is deleted
once three players agree, or else after the day.</li>
<li>If this site shows how many people listen to the radio, hashes of their network addresses are counted for 15 seconds.</li>
<li>A message by the contact form, and what you press on a subscriber's website, is counted with a hash of your network address: for an hour, and a message until the day ends.</li>
<li>These hashes are made with a random number that the server throws away after each day. From then on nobody can tell whose they are.</li>
<li>Other requests are limited for each network address. These counters are in memory only, for an hour at most; those of log-ins, sign-ups and mails are hashes, too.</li>
</ul>

<h2>On your device</h2>
<p>Your browser keeps what you have seen, so that the site works without a network: lists, covers, favorites, your playlists, the artists you follow, the song you were in, what you have played and searched for recently, for how long you heard each song
in a month, your
settings, changes that wait to be sent, and in the maker the file that you opened. None of it leaves the device except the changes, the names of the artists you follow, with which your browser asks for their new songs and which the server does not store,
and favorites, your playlists and these artists if you have an account.
See and delete it under <a href="/storage">Storage</a>. The site sets no cookie, except one for ten minutes while you link Discord.</p>

<h2>If you have an account</h2>
<table>
<thead><tr><th>What</th><th>Why</th><th>How long</th></tr></thead>
<tbody>
<tr><td>Email address, a hash of the password, time of the last log-in</td><td>to log you in</td><td>until you delete the account</td></tr>
<tr><td>Of each log-in: its tokens as hashes, browser and system, the network without its last part, time of the first and last use</td><td>to keep you logged in, and to show you
where you are</td><td>until you sign out or change the password, or 180 days after the last use</td></tr>
<tr><td>Favorites, with the time of each tap and a random id of the device</td><td>to merge your devices</td><td>until you delete the account</td></tr>
<tr><td>Your playlists, with the time of each change and a random id of the device; who has the link of one that you share sees its name, description and songs</td><td>to merge
your devices, and to show what you share</td><td>until you delete the account; of a deleted playlist the songs for 30 days</td></tr>
<tr><td>The artists you follow, with the time of each change and a random id of the device</td><td>to merge your devices, and to count new songs</td><td>until you delete the account; of
artists you stopped following the last 1,000</td></tr>
<tr><td>Of each browser in which you turned on notifications: the address and the keys that its push service gave it, and the time of the last notification</td><td>to tell you of new songs</td><td>until you turn them off, sign out in
that browser or delete the account</td></tr>
<tr><td>Names, sizes, speed and pitch of files that you export in the maker</td><td>your history; the sound itself is never sent</td><td>until you delete the account</td></tr>
<tr><td>Presets that you save in the maker, with the time of each change</td><td>to have them on all your devices</td><td>until you delete the account; of a deleted preset only its
name</td></tr>
<tr><td>Songs that you upload to be converted, and the results</td><td>to convert them</td><td>the upload until it is converted, the result for seven days</td></tr>
<tr><td>Texts, links and pictures of your website, counts of clicks on it, and the links that you promote</td><td>to show them</td><td>until you delete the account</td></tr>
<tr><td>Plan, period and email address of what you paid; our payment provider keeps the rest</td><td>to give you what you paid for</td><td>it stays with the email address</td></tr>
<tr><td>Discord id and name, if you link them</td><td>your role on Discord</td><td>until you unlink or delete the account</td></tr>
<tr><td>Random ids of changes</td><td>so that none counts twice</td><td>400 days; a week without an account</td></tr>
</tbody>
</table>
<p>The dashboard exports all of this as a file, and deletes the account with all of it, except for what was paid: that is for whoever proves that its email address is theirs.</p>

<h2>If you write to us</h2>
<p>The contact form stores what you fill in, and tells the team by mail. Messages are deleted after two years, the note that a mail was sent after 30 days.</p>

<h2>Third parties</h2>
<ul>
<li>Songs are videos of YouTube. The player is loaded from <code>youtube-nocookie.com</code> when you play something, and from then on Google receives your address and what you play. Covers come from
our own server.</li>
<li>Discord's widget on the home page is loaded when you scroll to it, and Discord then receives your address.</li>
<li>A subscription is paid at the checkout of a payment company, which opens in a tab of its own and receives your email address. We learn that you paid, not how.</li>
<li>If you turn on notifications of new songs, the push service of your browser's maker, such as Google, Mozilla, Apple or Microsoft, delivers them. They are encrypted for your browser, and say only how many
songs are new.</li>
<li>If this site uses a Firebase project for accounts, Google checks your password instead of us.</li>
</ul>

<h2>Your rights</h2>
<p>You may see, correct, take with you or have deleted what is stored about you, and complain to a supervisory authority. <a href="/get-in-touch?topic=other">Write to us</a>: requests are
answered within one month. We do not collect data from children under 13; if you believe that a child has given us some, tell us and we delete it.</p>
`.trim(),
})
