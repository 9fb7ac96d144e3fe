# SPDX-License-Identifier: BSD-3-Clause
# fish completion for servet, servet-mpi and servet-job: the programs say what may follow (--complete).

function __servet_complete
    set -l before (commandline -opc)
    set -l word (commandline -ct)
    test -n "$word"; or set word ''
    for line in ($before[1] --complete $before[2..-1] $word 2>/dev/null)
        switch $line
            case :files
                __fish_complete_path $word
            case :folders
                __fish_complete_directories $word
            case '*'
                echo $line
        end
    end
end

for program in servet servet-mpi servet-job
    complete -c $program -f -a '(__servet_complete)'
end
