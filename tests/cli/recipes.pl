# SPDX-License-Identifier: Apache-2.0
#
# perl recipes.pl RECIPES JSON HELP BLOCKS: what can be said of recipes without running them; a line a fault, exit 1. JSON/FILE.json are the YAML files' documents
# (none: nothing to tell YAML with). HELP/COMMAND are help texts. Each piece of shell goes to BLOCKS/FILE.NUMBER, which begins with its shell.

use strict;
use warnings;
use JSON::PP;

my ($recipes, $json, $help, $blocks) = @ARGV;
my (@faults, %count);

sub fault { push @faults, join '', @_ }

sub text_of {
	my ($file) = @_;
	open my $in, '<', $file or return '';
	local $/;
	my $text = <$in>;
	return $text;
}

sub block { # FILE SHELL TEXT
	my ($file, $shell, $text) = @_;
	open my $out, '>', sprintf('%s/%s.%d', $blocks, $file, ++$count{$file}) or die "$blocks: $!\n";
	print $out "#!/bin/$shell\n", $text, "\n";
}

sub keys_known { # WHAT MAP WORDS
	my ($what, $map, $words) = @_;
	return fault("$what is no map") && 0 if ref $map ne 'HASH';
	my %known = map { $_ => 1 } split ' ', $words;
	$known{$_} or fault("$what: '$_' is not known") for sort keys %$map;
	return 1;
}

sub is_text { return defined $_[0] && !ref $_[0] && length $_[0] ? 1 : 0 }
sub list_of { return ref $_[0] eq 'ARRAY' ? @{ $_[0] } : () }

# --- GitHub

sub github {
	my ($file, $top) = @_;
	my %ids;
	keys_known($file, $top, 'name on true permissions concurrency env defaults jobs') or return;
	my $on = $top->{on} // $top->{true}; # to YAML 1.1 "on" is a truth
	keys_known("$file: on", $on, 'push pull_request schedule workflow_dispatch workflow_call');
	($top->{permissions} // {})->{contents} eq 'read' or fault("$file: permissions are not those of a reader");
	ref $top->{jobs} eq 'HASH' && %{ $top->{jobs} } or return fault("$file: no jobs");
	for my $name (sort keys %{ $top->{jobs} }) {
		my $job = $top->{jobs}{$name};
		keys_known("$file: $name", $job, 'name if needs runs-on timeout-minutes env steps strategy permissions concurrency') or next;
		is_text($_) or fault("$file: $name: no runs-on") for list_of($job->{'runs-on'}) ? list_of($job->{'runs-on'}) : $job->{'runs-on'};
		$job->{'timeout-minutes'} or fault("$file: $name: no timeout-minutes");
		list_of($job->{steps}) or fault("$file: $name: no steps");
		my $number = 0;
		for my $step (list_of($job->{steps})) {
			my $what = "$file: $name: step " . ++$number;
			keys_known($what, $step, 'name id if uses run with env shell working-directory timeout-minutes continue-on-error') or next;
			is_text($step->{uses}) + is_text($step->{run}) == 1 or fault("$what: either uses or run");
			$ids{ $step->{id} } = 1 if $step->{id};
			($step->{uses} // 'a/b@' . '0' x 40) =~ m,^[\w-]+(/[\w-]+)+@[0-9a-f]{40}$, or fault("$what: $step->{uses} is not pinned");
			is_text($step->{run}) or next;
			$step->{run} =~ /\$\{\{/ and fault("$what: an expression within shell text");
			block($file, 'bash', $step->{run});
		}
	}
	my $text = text_of("$recipes/$file");
	while ($text =~ /steps\.(\w+)\.outputs\.(\w+)/g) {
		$ids{$1} && $text =~ /echo "$2=.*>>"\$GITHUB_OUTPUT"/ or fault("$file: no step gives $1.outputs.$2");
	}
	for ($text =~ /^\s*(?:- )?uses: *(.*)/mg) { /# v\d/ or fault("$file: $_: of which version?") }
	# A runner stands on somebody's own machine.
	exists $on->{pull_request} && $text !~ /head\.repo\.full_name == github\.repository/ and fault("$file: forks run code here");
}

# --- GitLab

sub gitlab {
	my ($file, $top) = @_;
	ref $top eq 'HASH' && list_of($top->{stages}) or return fault("$file: no stages");
	my @jobs = grep { !/^(stages|variables|workflow|default|include|image)$/ } sort keys %$top;
	@jobs or fault("$file: no jobs");
	for my $name (@jobs) {
		my $job = $top->{$name};
		keys_known("$file: $name", $job, 'stage tags script before_script after_script rules cache artifacts allow_failure resource_group timeout variables needs') or next;
		grep { $_ eq ($job->{stage} // '') } list_of($top->{stages}) or fault("$file: $name: its stage is none of stages");
		list_of($job->{script}) or fault("$file: $name: no script");
		is_text($_) or fault("$file: $name: a line of script that is no text") for list_of($job->{script});
		my $code = ref $job->{allow_failure} eq 'HASH' ? $job->{allow_failure}{exit_codes} // '' : '';
		$code eq '4' or fault("$file: $name: allow_failure is not that of exit code 4");
		my $junit = (($job->{artifacts} // {})->{reports} // {})->{junit} // '';
		join("\n", list_of($job->{script})) =~ /--junit \Q$junit\E\b/ && $junit or fault("$file: $name: no JUnit report of the gate");
		($job->{artifacts}{when} // '') eq 'always' or fault("$file: $name: a failed job has no report");
		keys_known("$file: $name: cache", $job->{cache}, 'key paths policy unprotect when') if $job->{cache};
		# One shell runs all lines.
		block($file, 'bash', join "\n", list_of($job->{script}));
	}
}

# --- Kubernetes

sub pod { # WHAT SPEC CLAIMS
	my ($what, $spec, $claims) = @_;
	my %volumes = map { ($_->{name} // '') => 1 } list_of($spec->{volumes});
	list_of($spec->{containers}) or fault("$what: no containers");
	for my $container (list_of($spec->{containers})) {
		keys_known("$what: container", $container, 'name image command args env resources volumeMounts workingDir readinessProbe securityContext') or next;
		($container->{name} // '') =~ /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/ or fault("$what: a container without a name");
		($container->{image} // '') =~ /:[\w.-]+$/ or fault("$what: no image with a tag");
		my @command = list_of($container->{command});
		@command or fault("$what: no command");
		is_text($_) or fault("$what: a word of the command that is no text") for @command;
		for my $variable (list_of($container->{env})) {
			keys_known("$what: env", $variable, 'name value valueFrom') or next;
			# 2 without quotes is a number, which the API refuses.
			ref $variable->{valueFrom} || (is_text($variable->{value}) && encode_json([ $variable->{value} ]) =~ /^\["/) or
				fault("$what: $variable->{name} is no text");
		}
		$volumes{ $_->{name} // '' } or fault("$what: no volume '$_->{name}'") for list_of($container->{volumeMounts});
		block($what =~ s/:.*//r, $command[0], $command[2]) if @command == 3 && $command[0] =~ /^(ba)?sh$/ && $command[1] eq '-c';
	}
	for my $volume (list_of($spec->{volumes})) {
		my $claim = ($volume->{persistentVolumeClaim} // {})->{claimName} // next;
		$claims->{$claim} or fault("$what: no claim '$claim'");
	}
}

sub kubernetes {
	my ($file, @documents) = @_;
	my (%claims, %services, %kinds);
	for my $document (@documents) {
		ref $document eq 'HASH' or return fault("$file: a document that is no map");
		my $name = ($document->{metadata} // {})->{name} // '';
		my $kind = $document->{kind} // '';
		$name =~ /^[a-z]([a-z0-9-]{0,61}[a-z0-9])?$/ or fault("$file: $kind: no metadata.name");
		my %versions = (Service => 'v1', PersistentVolumeClaim => 'v1', Job => 'batch/v1', MPIJob => 'kubeflow.org/v2beta1');
		($versions{$kind} // '') eq ($document->{apiVersion} // '-') or fault("$file: '$kind' is not of this apiVersion");
		ref $document->{spec} eq 'HASH' or return fault("$file: $kind: no spec");
		$claims{$name} = 1 if $kind eq 'PersistentVolumeClaim';
		$services{$name} = $document if $kind eq 'Service';
		$kinds{$kind}++;
	}
	$kinds{Job} || $kinds{MPIJob} or fault("$file: no job");
	for my $document (@documents) {
		my $spec = $document->{spec};
		if ($document->{kind} eq 'MPIJob') {
			keys_known("$file: MPIJob", $spec, 'slotsPerWorker mpiImplementation sshAuthMountPath launcherCreationPolicy runPolicy mpiReplicaSpecs');
			my $replicas = $spec->{mpiReplicaSpecs} // {};
			for my $role (qw(Launcher Worker)) {
				($replicas->{$role} // {})->{replicas} or fault("$file: no replicas of $role");
				pod("$file: $role", (($replicas->{$role} // {})->{template} // {})->{spec} // {}, \%claims);
			}
			my ($ranks) = map { $_->{value} } grep { $_->{name} eq 'RANKS' } map { list_of($_->{env}) } list_of($replicas->{Launcher}{template}{spec}{containers});
			($ranks // 0) == ($spec->{slotsPerWorker} // 0) * ($replicas->{Worker}{replicas} // 0) or fault("$file: RANKS are not all slots");
		} elsif ($document->{kind} eq 'Job') {
			keys_known("$file: Job", $spec, 'completionMode completions parallelism backoffLimit template activeDeadlineSeconds');
			my $pod = ($spec->{template} // {})->{spec} // {};
			my $name = $document->{metadata}{name};
			my %env = map { $_->{name} => $_->{value} } map { list_of($_->{env}) } list_of($pod->{containers});
			($spec->{completionMode} // '') eq 'Indexed' or fault("$file: pods have no index");
			($env{WORLD_SIZE} // 0) == $_ or fault("$file: WORLD_SIZE is not the number of pods") for $spec->{completions} // 0, $spec->{parallelism} // 0;
			($env{MASTER_ADDR} // '') eq "$name-0." . ($pod->{subdomain} // '') or fault("$file: MASTER_ADDR is not pod 0");
			my $service = $services{ $pod->{subdomain} // '' } // { spec => {} };
			($service->{spec}{clusterIP} // '') eq 'None' && (($service->{spec}{selector} // {})->{'job-name'} // '') eq $name or
				fault("$file: no headless service of these pods");
			($pod->{restartPolicy} // '') eq 'Never' or fault("$file: restartPolicy is not Never");
			pod("$file: Job", $pod, \%claims);
		}
	}
}

# --- what is not YAML

sub jenkins {
	my ($file, $text) = @_;
	$text =~ s,^\s*//.*,,mg;
	while ($text =~ s/(\bsh\(?[^'\n]*)'''(.*?)'''/$1''/s) { block($file, 'sh', $2 =~ s/\\\\/\\/gr) }
	while ($text =~ /\bsh '([^']*)'/g) { block($file, 'sh', $1) if length $1 }
	$text =~ /\Q$_/ or fault("$file: no $_") for 'pipeline {', 'agent {', 'stages {', 'stage(', 'steps {', 'post {', 'junit ';
	$text =~ /rc == 4\) \{\s*unstable\(/ or fault("$file: exit code 4 is not unstable");
	$text =~ /rc != 0\) \{\s*error\(/ or fault("$file: a regression does not fail");
	$text =~ s/'[^'\n]*'|"[^"\n]*"//g;
	$text =~ /['"]/ and fault("$file: a quote that does not end");
	my $open = '';
	for ($text =~ /[][(){}]/g) {
		if (/[[({]/) { $open .= $_; next }
		my $last = chop $open;
		"$last$_" =~ /^(\[\]|\(\)|\{\})$/ or return fault("$file: '$_' closes '$last'");
	}
	$open eq '' or fault("$file: '$open' is not closed");
}

sub container {
	my ($file, $text) = @_;
	my ($user, $stages) = ('root', 0);
	$text =~ s/^\s*#.*\n//mg;
	$text =~ s/\\\n\s*/ /g;
	for (split /\n+/, $text) {
		my ($word, $rest) = /^([A-Z]+) (.*)$/ or do { fault("$file: '$_' is no instruction"); next };
		$word =~ /^(ARG|FROM|WORKDIR|RUN|COPY|USER|CMD)$/ or fault("$file: $word");
		($user, $stages) = ('root', $stages + 1) if $word eq 'FROM';
		$user = $rest if $word eq 'USER';
		block($file, 'sh', $rest) if $word eq 'RUN';
		ref eval { decode_json($rest) } eq 'ARRAY' or fault("$file: CMD is no list") if $word eq 'CMD';
	}
	# ci/setup knows what a build needs.
	my ($needs) = text_of('ci/setup') =~ /^needs_compiler\(\)(.*)^check\(\)/ms or fault("$file: what a build needs is not known");
	$text =~ /[ ]\Q$_\E(?![-\w])/ or fault("$file: a build needs $_") for ($needs // '') =~ /needs_(?:command|header) \S+ (\S+)/g;
	$stages >= 2 or fault("$file: compilers stay in the image");
	$user ne 'root' or fault("$file: its user is root");
}

# --- commands

# Options of every line that starts a program of ours, remarks included, against the help texts.
sub options {
	my ($file, $text) = @_;
	$text =~ s/\\\n\s*(?:#\s*)?/ /g;
	for my $line (split /\n/, $text) {
		while ($line =~ m{(?:^|[\s"'(!/])(collperf|\w+_perf|"\$\{primitive\}_perf") ([^;|&\n]*)}g) {
			my ($program, $words) = ($1, $2);
			my $command = $program eq 'collperf' ? $words =~ s/^([a-z]+)\b// ? $1 : next : 'perf';
			my $known = text_of("$help/$command");
			length $known or $program eq 'collperf' && $words !~ / -/ && next; # prose
			length $known or fault("$file: no collperf $command") && next;
			$known .= text_of("$help/perf") if $command =~ /^(run|ab)$/;
			$known .= text_of("$help/compare") if $command eq 'baseline' && $words =~ /\bcheck\b/;
			$words =~ s/"[^"]*"|'[^']*'/x/g;
			$words =~ s/ >.*//;
			for ($words =~ /(?:^| )(-[-\w]*\w)/g) {
				$known =~ /(?:^|[\s,\[(|])\Q$_\E(?![-\w])/m or fault("$file: collperf $command: no option $_");
			}
			$count{commands}++;
		}
	}
}

my %yaml = ('github.yml' => \&github, 'gitlab.yml' => \&gitlab, 'kubernetes-mpi.yml' => \&kubernetes, 'kubernetes-env.yml' => \&kubernetes);
my ($version) = text_of('Makefile') =~ /^VERSION +:= (\S+)$/m;
opendir my $folder, $recipes or die "$recipes: $!\n";
for my $file (sort grep { !/^\./ } readdir $folder) {
	my $text = text_of("$recipes/$file");
	$text =~ /^(?:#!.*\n)?(?:#|\/\/) SPDX-License-Identifier: Apache-2\.0\n/ or fault("$file: no SPDX line");
	$text =~ /\b(?:gh[pousr]_\w{20}|AKIA\w{12}|BEGIN [A-Z ]*PRIVATE KEY)|(?:password|passwd|secret|token)\s*[:=]\s*\S/i and fault("$file: a secret");
	length > 160 and fault("$file: a long line") for split /\n/, $text;
	$1 eq $version or fault("$file: version $1 is not the Makefile's") while $text =~ /\bcollperf:(\d[\d.]*\d)/g;
	options($file, $text);
	if ($yaml{$file}) {
		my $documents = eval { decode_json(text_of("$json/$file.json")) };
		if ($documents) { $yaml{$file}->($file, @$documents) }
		elsif (-e "$json/$file.json") { fault("$file: no YAML") }
	}
	elsif ($file eq 'Jenkinsfile') { jenkins($file, $text) }
	elsif ($file eq 'Containerfile') { container($file, $text) }
	elsif ($file =~ /\.yml$/) { fault("$file: not known here") }
}
($count{commands} // 0) >= 15 or fault('few commands were found');
print map { "$_\n" } @faults;
exit(@faults ? 1 : 0);
